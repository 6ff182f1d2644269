"""A process and its logs: what is configured, what has changed on disk, and which software dealt (R33)."""

from pathlib import Path

import msgspec
import pytest
from prometheus_client import CollectorRegistry

from poolrummy import identity
from poolrummy.audit.auditing import Means, audited
from poolrummy.audit.derivation import Derivation
from poolrummy.audit.findings import Check
from poolrummy.audit.packs import Seeds
from poolrummy.fairness.keys import load_or_create_keys
from poolrummy.fairness.sealing import AgeSealer
from poolrummy.runtime.errors import SettingsInvalid
from poolrummy.runtime.metrics import Metrics
from poolrummy.runtime.settings import Settings
from poolrummy.runtime.software import PLACES, Software, configuration_of
from poolrummy.testing.packs import Script
from poolrummy.testing.random_play import RandomMatch
from poolrummy.testing.random_terms import random_terms
from poolrummy.testing.robot_matches import robot_match
from poolrummy_contracts.events import DealStarted, TableEvent, TableOpened

from .signed_matches import of_lines
from .test_audit_steps import ScriptedToss

OLD, NEW = "a" * 64, "b" * 64


# -- a process


def settings(**given: object) -> Settings:
    return Settings.of({"redis_url": "redis://127.0.0.1:1/0", **given})


def test_where_things_are_is_no_configuration_and_what_is_played_by_is() -> None:
    plain = configuration_of(settings(), {})
    same = [settings(**{name: value}) for name, value in (("http_port", 5), ("log_level", "debug"), ("data_dir", "/x"))]
    other = [settings(lease_ms=5000), settings(keys_dir="/keys"), settings(partitions=3)]

    assert {configuration_of(one, {}) for one in same} == {plain}
    assert plain not in {configuration_of(one, {}) for one in other}
    assert len({configuration_of(one, {}) for one in other}) == 3
    assert configuration_of(settings(), {"own-profiles/club.toml": b"x"}) != plain
    assert set(Settings.__struct_fields__) >= PLACES


def test_a_process_of_software_that_was_not_approved_does_not_start() -> None:
    approved = identity.identity().outcome

    Software("dealer", settings(software_approved=approved), Metrics(CollectorRegistry()))
    with pytest.raises(SettingsInvalid, match="is not this software"):
        Software("dealer", settings(software_approved=OLD), Metrics(CollectorRegistry()))


async def test_a_changed_profile_of_the_operators_own_raises_the_alarm(tmp_path: Path) -> None:
    own = tmp_path / "club.toml"
    own.write_text("first")
    identity.loaded.cache_clear()
    metrics = Metrics(CollectorRegistry())
    software = Software("dealer", settings(profiles_dir=str(tmp_path)), metrics)
    assert await software.check() == ()

    own.write_text("second")

    assert await software.check() == ("own-profiles/club.toml",)
    assert metrics.registry.get_sample_value("poolrummy_software_changed_files") == 1
    assert (await software.told())["unchanged"] is False
    own.write_text("first")
    assert await software.check() == ()
    assert metrics.registry.get_sample_value("poolrummy_software_changed_files") == 0


def test_the_files_are_looked_at_every_day_at_least() -> None:
    assert settings(software_check_s=86_400).software_check_s == 86_400
    with pytest.raises(SettingsInvalid, match="SOFTWARE_CHECK_S"):
        settings(software_check_s=86_401)


# -- in the log


class Upgraded(Script):
    """Another software deals on after the first deal has begun."""

    software = OLD

    def follow(self, events, lines):
        super().follow(events, lines)
        if self._deal:
            self.software = NEW


def played(number: int, script: type[Script]) -> list[TableEvent]:
    terms = random_terms(number)
    match = RandomMatch(terms, number)
    match.table.script = script(terms)
    match.play(1500)
    return match.table.log


def test_a_log_names_the_software_that_opened_its_table_and_the_one_that_deals_on() -> None:
    changed = 0
    for number in range(12):
        log = played(number, Upgraded)
        deals = [event.software for event in log if isinstance(event, DealStarted)]

        assert isinstance(log[0], TableOpened)
        assert log[0].software == OLD
        assert deals == [None, NEW, *[None] * len(deals)][: len(deals)], "told once, where it changed"
        assert Derivation(log, ScriptedToss(log, Seeds((), None))).run().difference is None
        changed += NEW in deals
    assert changed >= 3


def test_naming_the_same_software_again_is_not_what_the_rules_give() -> None:
    logs = (played(number, Upgraded) for number in range(12))
    log = next(log for log in logs if any(isinstance(one, DealStarted) for one in log))
    place, first = next((place, one) for place, one in enumerate(log) if isinstance(one, DealStarted))
    log[place] = msgspec.structs.replace(first, software=OLD)

    found = Derivation(log, ScriptedToss(log, Seeds((), None))).run().difference

    assert found is not None
    assert (found.v, found.kind) == (first.v, "deal-started")


def test_the_audit_says_which_software_dealt_and_whether_it_is_the_one_that_audits(tmp_path: Path) -> None:
    sealer = AgeSealer(load_or_create_keys(tmp_path))
    own = identity.identity().outcome
    found = {}
    for software in (None, own, OLD):
        match = robot_match(1, sealer, seats=2, variant="61", software=software)
        result = audited(of_lines(match.table, match.play()), Means(sealer=sealer))
        assert result.first is None
        found[software] = next(line.note for line in result.lines if line.check is Check.TERMS)

    assert found[None] == ""
    assert found[own] == f"dealt by software {own[:12]}…, as this audit is"
    assert found[OLD] == f"dealt by software {OLD[:12]}…; this audit is {own[:12]}…"
