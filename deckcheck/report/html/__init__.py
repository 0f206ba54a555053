"""A run as a page: one file to send, to print and to keep."""
