"""The parts of the catalogue that are written by hand."""

from typing import Final

PREFACE: Final = """\
# What crosses the wire

<!-- Written by `make fix` from contracts/poolrummy_contracts; changes here are lost. -->

A platform writes **commands** for tables into Redis streams. The dealer answers each with a **reply** and records what
happened as **events** in the log of the table. Validators answer open questions with **verdicts**. A seat's own cards
reach it as **seat lines**. What could not be read is **parked**.

All messages are JSON objects with a literal `type`. What the platform writes may have its keys in any order; what is
recorded is canonical: keys sorted, no blanks, integers below 2^53, no floats, one form for every value. Times are
milliseconds, money is minor units, shares are basis points, points are integers.

Schemas: [one file for each message](schemas/), with its example, and [all streams as AsyncAPI](schemas/asyncapi.json).
The rules are in [RULEBOOK.md](RULEBOOK.md), what changed on the wire in [CHANGELOG.md](CHANGELOG.md). The examples
below tell one small match: Asha (seat 1), Bhaskar (seat 2) and the robot Chitra (seat 3) at table `p07-9f2c`.
"""

LIFE_OF_A_DEAL: Final = """\
## The life of a deal

```mermaid
sequenceDiagram
    participant P as platform
    participant I as inbox
    participant D as dealer
    participant L as table log and feed
    participant V as validator
    P->>I: draw, discard, drop, save-groups
    I->>D: in order, with the server's time
    D->>L: card-drawn, card-discarded, turn-started …
    D-->>P: accepted at version v, or refused (replies)
    D-->>P: card-received (seat channel)
    P->>I: finish, then declare
    D->>L: finish-called, show-declared
    L->>V: show-declared at version 27
    V->>I: show-verdict, ask 27
    D->>L: show-judged, declare-window-opened
    P->>I: declare (each loser)
    D->>L: hand-declared, then hand-laid-open
    L->>V: hand-laid-open at version 31
    V->>I: hand-verdict, ask 31
    D->>L: hand-counted, deal-scored
    D->>L: seat-eliminated, rejoin-offered …
```

1. A command lies in the inbox. The dealer decides it against the state of the table, and in **one step** records the
   events, writes the seat lines and the reply, and moves its offset. A command counts once, whoever dies when.
2. `show-declared` and `hand-laid-open` ask the validator. While a verdict is awaited no clock of the table runs.
3. After a valid show each loser may declare until the window closes; a wrong show costs its points, and play goes on.
4. `deal-scored` ends the deal. Then come eliminations, the rejoin window, the split window, the next deal or the end.
5. A deadline acts like a command, with `actor` `timer` and no `cause`, after everything that arrived before it.
"""

WRITTEN_BY_HAND: Final = """\
## The chain

Beside each event of a table log stands a hash: c_0 = SHA-256(`poolrummy/table-log/1` and a zero byte, then the table
id), c_v = SHA-256(c_{v-1}, then the length of the stored bytes as eight bytes, big-endian, then the stored bytes). Hash
the bytes as they are stored; never decode and encode them first.
"""
