"""The dealer: the only writer of table logs. It gathers, lets the rules decide, and applies."""
