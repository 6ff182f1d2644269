"""The dispute dossier: why a seat was charged, shown from the log: first the answer, then everything behind it."""
