"""Which pairs of players deserve a look: evidence from the logs, not a verdict (R28). PAIRS.md explains it."""
