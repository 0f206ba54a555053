"""Expectations of a plan, held against games."""
