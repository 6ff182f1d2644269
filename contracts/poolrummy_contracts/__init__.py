"""What crosses the wire between a platform and poolrummy: cards, terms, commands, events, verdicts, streams."""
