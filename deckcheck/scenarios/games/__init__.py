"""Scenario adapters, one folder per game."""
