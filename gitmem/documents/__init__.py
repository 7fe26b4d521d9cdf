"""The kinds of documents: values and their text formats. No I/O, no clock."""
