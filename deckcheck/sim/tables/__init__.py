"""From files to entrants, and from entrants to the seats of tables."""
