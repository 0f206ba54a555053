"""What the game is."""




