"""Benchmarks: figures that are read beside a baseline taken in the same run, never tests that fail on a slow day."""
