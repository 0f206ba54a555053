"""What prepares games and keeps compiled code: plain Python, never compiled."""
