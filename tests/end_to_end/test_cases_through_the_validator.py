"""The 3,000 hands and 300 declarations, judged by the running validator: asks in the log, verdicts in the inbox."""

import asyncio
import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from poolrummy.profile_files import load_all
from poolrummy.runtime.redis_store import RedisStore
from poolrummy.runtime.store import DEALER, Append, InboxEntry, NewEvent, OpenChange
from poolrummy.testing.live_platform import LivePlatform
from poolrummy_contracts import codec
from poolrummy_contracts.cards import Card, position, wild_rank_of
from poolrummy_contracts.envelope import chain_next, chain_start
from poolrummy_contracts.events import HandLaidOpen, ShowDeclared, ShownCard, TableEvent, TableOpened
from poolrummy_contracts.profiles import practice_terms
from poolrummy_contracts.terms import EDITION, Terms, terms_hash
from poolrummy_contracts.verdicts import HandVerdict, ShowVerdict

CASES = Path(__file__).parents[1] / "rules" / "cases"
TABLE = "p00-all-the-cases"
BATCH = 50


def cases(name: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in (CASES / name).read_text().splitlines()]


def shown(cards: Sequence[str], start: int = 0) -> tuple[ShownCard, ...]:
    return tuple(ShownCard(card=Card(c), position=position(0, start + n)) for n, c in enumerate(cards))


def hand_ask(case: dict[str, object], v: int) -> HandLaidOpen:
    return HandLaidOpen(
        v=v,
        table=TABLE,
        at=1,
        actor="timer",
        rule="6.6",
        deal=1,
        seat=1,
        hand=shown(case["hand"]),
        groups=(),
        wild_rank=wild_rank_of(case["wild"] if case["wild"] == "JK" else f"{case['wild']}S"),
        basis="best",
        late=True,
    )


def show_ask(case: dict[str, object], v: int) -> ShowDeclared:
    return ShowDeclared(
        v=v,
        table=TABLE,
        at=1,
        actor="player",
        rule="6.2",
        deal=1,
        seat=1,
        hand=shown(case["hand"]),
        groups=tuple(shown(group, 20 * n) for n, group in enumerate(case["groups"], start=1)),
        wild_rank=wild_rank_of(case["wild"] if case["wild"] == "JK" else f"{case['wild']}S"),
    )


def asks(hands: list[dict[str, object]], shows: list[dict[str, object]], terms: Terms) -> Iterator[TableEvent]:
    yield TableOpened(
        v=1,
        table=TABLE,
        at=1,
        actor="operator",
        rule="1.1",
        terms=terms,
        terms_hash=terms_hash(terms),
        edition=EDITION,
        fill_until=2,
    )
    for v, case in enumerate(hands, start=2):
        yield hand_ask(case, v)
    for v, case in enumerate(shows, start=2 + len(hands)):
        yield show_ask(case, v)


async def record(store: RedisStore, events: Sequence[TableEvent]) -> None:
    """Append the asks as a dealer does."""
    lease = await store.acquire(0, DEALER, "test", lease_ms=60_000)
    assert lease is not None
    chain, version = chain_start(TABLE), 0
    for start in range(0, len(events), BATCH):
        before, new = chain, []
        for event in events[start : start + BATCH]:
            payload = codec.encode(event)
            chain = chain_next(chain, payload)
            new.append(NewEvent(payload, chain))
        (answer,) = await store.append(
            [
                Append(
                    partition=0,
                    token=lease.token,
                    from_offset=lease.offset,
                    to_offset=lease.offset,
                    table=TABLE,
                    expected_version=version,
                    expected_chain=before,
                    events=tuple(new),
                    open_change=OpenChange.NONE if version else OpenChange.OPENS,
                )
            ]
        )
        assert answer.done, answer
        version += len(new)


async def verdicts(store: RedisStore, wanted: int) -> list[InboxEntry]:
    found: list[InboxEntry] = []
    for _ in range(3000):
        after = found[-1].id if found else "0-0"
        page = await store.read_inbox(0, after, 1000)
        found.extend(page)
        if len(found) >= wanted:
            return found
        if not page:
            await asyncio.sleep(0.02)
    pytest.fail(f"{len(found)} of {wanted} verdicts came")


async def test_every_published_case_is_judged_without_a_difference(platform: LivePlatform, redis_url: str) -> None:
    platform.start("validator")
    hands, shows = cases("arranger-hands.jsonl"), cases("arranger-groups.jsonl")
    store = RedisStore.at(redis_url)
    await store.open_store(2)

    await record(store, list(asks(hands, shows, practice_terms(load_all()["house"], "101", 2))))
    found = [codec.decode_inbox(entry.payload) for entry in await verdicts(store, len(hands) + len(shows))]
    await store.aclose()

    by_ask = {verdict.ask: verdict for verdict in found if isinstance(verdict, HandVerdict | ShowVerdict)}
    assert len(by_ask) == len(found) == 3300
    counted = [(case, by_ask[v]) for v, case in enumerate(hands, start=2)]
    assert [
        case["id"]
        for case, verdict in counted
        if (verdict.raw, verdict.points, verdict.complete)
        != (case["min_deadwood_raw"], case["min_deadwood"], case["valid_declaration"])
    ] == []
    judged = [(case, by_ask[v]) for v, case in enumerate(shows, start=2 + len(hands))]
    assert [
        case["id"] for case, verdict in judged if (verdict.valid, verdict.reason) != (case["valid"], case["reason"])
    ] == []
