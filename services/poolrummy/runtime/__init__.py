"""Move: lines between processes and Redis, in order, exactly once. Knows no rummy."""
