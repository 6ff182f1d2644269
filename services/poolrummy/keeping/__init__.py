"""Where evidence is kept outside the server: a folder or an object store, and the checkpoints of the logs in it."""
