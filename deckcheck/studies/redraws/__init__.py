"""The cards of the dealt hand that are better sent back."""
