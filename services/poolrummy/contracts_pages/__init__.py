"""Pages that say to people and to client engineers what the contracts say to Python.

Written from the message structs themselves: ``contracts/README.md``, ``contracts/schemas/``, a missing line of
``tests/contracts/lines/`` and the rules table of the repository's README. ``python -m poolrummy.contracts_pages
--check`` says what is stale, ``--write`` mends it (``make check`` and ``make fix`` call them).
"""
