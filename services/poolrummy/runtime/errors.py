"""What can break between a process and its store; each message names the thing and the mend.

A player's mistake never stands here: that is a refusal, a value. These are the failures of infrastructure.
"""


class RuntimeFault(Exception):
    """Root of everything that the runtime raises by its own decision."""


class SettingsInvalid(RuntimeFault):
    """Environment or arguments hold values that no process may start with; all findings at once."""

    def __init__(self, findings: tuple[str, ...]) -> None:
        self.findings = findings
        super().__init__("settings are invalid:\n" + "\n".join(f"  - {finding}" for finding in findings))


class NoServer(RuntimeFault):
    """There is no Redis or Valkey to talk to, and none could be started."""


class ServerUnfit(RuntimeFault):
    """A server answers, but our log may not be entrusted to it."""


class EvictingServer(ServerUnfit):
    """The server would throw streams away when memory is short."""


class ServerTooOld(ServerUnfit):
    """The server lacks commands of Redis 7.0."""


class StoreUnreachable(RuntimeFault):
    """The server does not answer, or not in time; whether the last write happened is unknown."""


class StoreChanged(RuntimeFault):
    """The store is another one than the one we started with, or it went back in time. The process must stop."""


class NotOwner(RuntimeFault):
    """Another member holds this partition now, or nobody: what we hold in memory is worth nothing."""


class StoreRefused(RuntimeFault):
    """The server answered a command with an error; what it says stands in the message."""


class AppendRefused(RuntimeFault):
    """The store did not take a write, and changed nothing: drop the state and take over afresh."""


class AppendConflict(AppendRefused):
    """Version, chain hash or offset stand elsewhere than the writer believed."""


class AppendTooLarge(RuntimeFault):
    """A write exceeds 64 events or 256 kB; it was not sent."""


class FeedGap(RuntimeFault):
    """A feed or a table log does not go on where it stopped: entries are missing or out of order."""


class FeedLost(RuntimeFault):
    """This consumer lagged beyond its bound; the feed went on without it and it must rebuild."""


class FeedPoisoned(RuntimeFault):
    """Our own code fails on an event that this consumer may not skip. The process must stop."""


class NewerVersionNeeded(RuntimeFault):
    """A stored message carries a tag or a form that this release does not know. The process must stop."""


class OutOfReach(RuntimeFault):
    """Something that a handler needs beside the store cannot be used now; the entry in hand is not to blame."""


class ReadLoopDied(RuntimeFault):
    """Entries wait and nothing reads them, although the server answers."""
