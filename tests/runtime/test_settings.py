"""Settings: read once, refused in full."""

import pytest

from poolrummy.runtime.errors import SettingsInvalid
from poolrummy.runtime.settings import Settings


def test_an_empty_environment_gives_the_defaults() -> None:
    assert Settings.from_environment({"PATH": "/bin"}) == Settings()


def test_values_are_read_from_text() -> None:
    given = {
        "POOLRUMMY_REDIS_URL": "redis://h:1/0",
        "POOLRUMMY_LEASE_MS": "900",
        "POOLRUMMY_SOCKET_TIMEOUT_S": "1.5",
        "POOLRUMMY_LOG_FORMAT": "console",
    }
    settings = Settings.from_environment(given)

    assert (settings.redis_url, settings.lease_ms) == ("redis://h:1/0", 900)
    assert (settings.socket_timeout_s, settings.log_format) == (1.5, "console")


def test_redis_url_counts_where_ours_is_not_set() -> None:
    assert Settings.from_environment({"REDIS_URL": "redis://a"}).redis_url == "redis://a"
    both = {"REDIS_URL": "redis://a", "POOLRUMMY_REDIS_URL": "redis://b"}
    assert Settings.from_environment(both).redis_url == "redis://b"


def test_all_findings_are_named_at_once_with_their_mend() -> None:
    with pytest.raises(SettingsInvalid) as refused:
        Settings.from_environment(
            {
                "POOLRUMMY_LEESE_MS": "1",
                "POOLRUMMY_LEASE_MS": "soon",
                "POOLRUMMY_PARTITIONS": "0",
                "POOLRUMMY_LOG_FORMAT": "xml",
            }
        )
    said = str(refused.value)

    assert len(refused.value.findings) == 4
    for part in ("LEESE_MS is not a setting", "lease_ms", "LEASE_MS='soon'", "PARTITIONS='0'", "LOG_FORMAT='xml'"):
        assert part in said


def test_the_id_of_a_store_is_refused_unless_it_can_be_one() -> None:
    assert Settings.of({"store_id": "0123456789abcdef" * 2}).store_id == "0123456789abcdef" * 2
    with pytest.raises(SettingsInvalid, match="POOLRUMMY_STORE_ID='mine'"):
        Settings.of({"store_id": "mine"})


@pytest.mark.parametrize(("poll_ms", "fits"), [(500, True), (501, False)])
def test_a_read_may_not_block_longer_than_half_the_socket_timeout(poll_ms: int, fits: bool) -> None:
    given = {"poll_ms": poll_ms, "socket_timeout_s": 1.0}
    if fits:
        assert Settings.of(given).poll_ms == 500
    else:
        with pytest.raises(SettingsInvalid, match="POLL_MS=501 blocks longer"):
            Settings.of(given)


def test_an_address_that_is_none_is_refused_without_its_password() -> None:
    with pytest.raises(SettingsInvalid, match="POOLRUMMY_REDIS_URL") as refused:
        Settings.of({"redis_url": "http://user:secret@h"})
    assert "secret" not in str(refused.value)
