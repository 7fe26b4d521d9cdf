"""Make sessions of the transcripts that assistants keep."""
