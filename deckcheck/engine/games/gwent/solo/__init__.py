"""Gwent against an automa: its rules, compiled."""
