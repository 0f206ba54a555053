"""The win rates of decks over several runs."""
