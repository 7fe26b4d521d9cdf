"""What a session is: values and their text formats. No I/O, no clock."""
