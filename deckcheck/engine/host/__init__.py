"""Preparation of games and storage of compiled code: plain Python, never compiled."""
