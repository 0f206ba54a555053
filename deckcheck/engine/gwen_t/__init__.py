"""Gwen't for two to six players: the rules of play."""
