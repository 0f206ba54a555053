"""A better version of a deck."""
