"""What a text means, as a vector, by a small model that a user may install.

Nothing of it is imported without the extra `meaning`; hooks never use it.
"""
