"""How the game is decided: pure functions of a table, a command, a time and what only the dealer knows."""
