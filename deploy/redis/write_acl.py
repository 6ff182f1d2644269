"""Writes ``users.acl``: one Redis user a role, who may read and write what that role needs, and nothing else.

Redis asks for every command of a script whether its user may run it. So EVALSHA may name any key, and what it does
there is bounded by the user's other rights. A group in brackets stands alone: its commands, on its keys.

    python write_acl.py                 the file as it is checked in: no password fits, so nobody comes in
    python write_acl.py --secrets DIR   a password for each user in DIR/<user>.password (kept where there is one),
                                        and DIR/users.acl with their hashes
"""

import os
import secrets
import sys
from hashlib import sha256
from pathlib import Path
from typing import Final

FILE: Final = Path(__file__).with_name("users.acl")
NOBODY: Final = "0" * 64
"""A hash that no password is known for."""

CONNECTS: Final = "+hello +auth +ping +quit +client|setinfo +client|setname +cluster|slots"
LOOKS: Final = "+time +info +config|get +command|info"
"""What a process asks a server before it trusts it: its clock, its durability, its eviction policy."""
STREAMS: Final = "+xread +xrange +xrevrange"
READS: Final = f"{STREAMS} +get +mget +exists +hget +hmget +hgetall +hlen +hvals +smembers +sismember +scard +zrange"
SCRIPTS: Final = "(+evalsha +script|load %RW~{p*}:*)"
PROCESS: Final = f"{CONNECTS} {LOOKS} {READS}"
WRITES_VIEWS: Final = "+set +del +hset +hdel +sadd +srem +zadd +zrem"

PUBLIC: Final = ("meta", "feed", "table:*", "head:*", "open", "view:*", "closures", "archive")
"""What everybody may read who reads at all: no seat's cards, no answers, no leases."""
LEASES: Final = ("dealer", "role:*", "roles")


def keys(*names: str, rights: str = "R") -> str:
    """These keys of every partition."""
    return " ".join(f"%{rights}~{{p*}}:{name}" for name in names)


def group(commands: str, *names: str) -> str:
    """Commands that change these keys of every partition."""
    return f"({commands} {keys(*names, rights='RW')})"


def follower(role: str, *more: str) -> str:
    """A process that follows the feed: its own lease, its own offset, its name among the roles, and what it leaves."""
    return " ".join(
        (
            f"{PROCESS} +scan",  # to rebuild, it asks for the names of all tables
            keys(*PUBLIC, *LEASES, f"members:{role}"),
            SCRIPTS,
            group("+hset +hdel +hincrby", f"role:{role}"),
            group("+sadd", "roles"),
            group("+zadd +zrem +zremrangebyscore", f"members:{role}"),
            *more,
        )
    )


USERS: Final[dict[str, str]] = {
    "dealer": " ".join(
        (
            PROCESS,
            keys(*PUBLIC, *LEASES, "members:dealer", "inbox", "seat:*", "answers:*", "snapshot:*", "replies", "parked"),
            SCRIPTS,
            group("+hset +hdel +hincrby", "dealer", "head:*", "answers:*"),
            group("+hset", "meta", "role:*"),
            group("+xadd", "table:*", "feed", "replies", "parked", "seat:*"),
            group("+xtrim", "inbox", "feed"),
            group("+set +del", "snapshot:*", "seat:*", "answers:*"),
            group("+sadd +srem", "open"),
            group("+zadd +zrem +zremrangebyscore", "members:dealer"),
        )
    ),
    "validator": follower("validator", group("+xadd", "inbox", "parked")),
    "projector": follower("projector", group(WRITES_VIEWS, "view:*"), group("+xadd", "parked")),
    "notary": follower("notary", group("+hset +hdel +del", "view:notary"), group("+xadd", "parked")),
    "gateway": " ".join(
        (
            f"{CONNECTS} +time {READS} {keys(*PUBLIC, 'replies', 'seat:*')}",
            "(+xadd %W~{p*}:inbox)",
        )
    ),
    "cashier": f"{CONNECTS} +time {READS} {keys(*PUBLIC, 'replies')} (+xadd %W~{{p*}}:inbox)",
    "auditor": f"{PROCESS} +scan +xlen +xinfo|stream +dbsize {keys(*PUBLIC, *LEASES, 'parked', 'replies')} {SCRIPTS}",
    "operator": " ".join(
        (
            f"{PROCESS} +scan +xlen +xinfo|stream +dbsize +acl|log +acl|whoami +client|list +latency",
            keys(*PUBLIC, *LEASES, "members:*", "inbox", "parked", "replies"),
            SCRIPTS,
            group("+xadd", "inbox", "closures"),
            group(WRITES_VIEWS, "view:*"),
            group("+hset +hdel +hincrby +del", "role:*"),
            group("+sadd +srem", "roles"),
            group("+zadd +zrem +zremrangebyscore", "members:projector"),
        )
    ),
    "archiver": " ".join(
        (
            f"{PROCESS} +scan {keys(*PUBLIC, *LEASES)}",
            SCRIPTS,
            group("+hset", "archive", "head:*"),
            group("+unlink", "table:*", "answers:*", "snapshot:*", "seat:*", "view:*"),
        )
    ),
    "admin": "+@all ~* &*",
}
"""``admin`` is for the server's own upkeep by two people together; no process of ours has its password."""


def text(hashes: dict[str, str]) -> str:
    """The whole file; an ACL file takes no comments."""
    lines = ["user default off"]
    lines += [f"user {name} on #{hashes.get(name, NOBODY)} resetchannels {may}" for name, may in USERS.items()]
    return "\n".join(lines) + "\n"


def write_with_secrets(folder: Path) -> None:
    """Passwords that nobody has seen, readable by their owner alone, and the file that knows their hashes."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    hashes: dict[str, str] = {}
    for name in USERS:
        file = folder / f"{name}.password"
        if not file.exists():
            handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(handle, "w") as out:
                out.write(secrets.token_urlsafe(32))
        hashes[name] = sha256(file.read_bytes().strip()).hexdigest()
    (folder / "users.acl").write_text(text(hashes), "utf-8")


if __name__ == "__main__":
    match sys.argv[1:]:
        case []:
            FILE.write_text(text({}), "utf-8")
        case ["--check"]:
            sys.exit(0 if FILE.read_text("utf-8") == text({}) else f"{FILE} is not what {__file__} writes: make fix")
        case ["--secrets", folder]:
            write_with_secrets(Path(folder))
        case _:
            sys.exit(__doc__)
