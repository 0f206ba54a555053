"""How much players lose by their moves, as a much deeper search values these."""
