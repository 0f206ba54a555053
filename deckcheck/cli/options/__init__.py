"""Options that several commands have, each declared once."""
