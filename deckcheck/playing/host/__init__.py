"""Plain Python around the compiled games."""
