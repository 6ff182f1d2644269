"""Robots that play through the public streams and their own seat channel, and the tables they play at."""
