"""Who plays whom: from files to entrants, and entrants to the seats of tables."""
