"""How the arranger searches: hands as numbers, tables of suits, sets by branch and bound (see ../ARRANGER.md)."""
