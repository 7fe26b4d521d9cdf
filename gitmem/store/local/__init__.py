"""What stays on this machine: journals, copies, lists, the log."""
