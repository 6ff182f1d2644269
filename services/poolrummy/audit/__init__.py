"""The audit: a table's whole past from its log alone, told step by step and held against what was written."""
