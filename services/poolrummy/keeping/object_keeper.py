"""Checkpoints in a bucket: S3 and what speaks like it; Google's and Microsoft's stores come with the library.

Credentials, endpoint and region come from the usual environment names (``AWS_ACCESS_KEY_ID``,
``AWS_SECRET_ACCESS_KEY``, ``AWS_ENDPOINT_URL``, ``AWS_REGION`` …; ``GOOGLE_…``, ``AZURE_…``).

Every request ends within ``REQUEST_S`` and is tried three times at most: who waits for it decides what comes next.
"""

import os
import re
from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from datetime import timedelta
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

import obstore
from obstore.exceptions import AlreadyExistsError, BaseError
from obstore.store import from_url

from poolrummy.keeping.keeper import MARK, MARK_TEXT, KeeperAway, KeeperFault, KeeperUnfit, KeptOtherwise

if TYPE_CHECKING:
    from obstore.store import ClientConfig, ObjectStore, RetryConfig

REQUEST_S: Final = 5
CONNECT_S: Final = 2
RETRIES: Final = 2
ENDPOINTS: Final = ("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL", "AWS_ENDPOINT")
CREDENTIALS: Final = {
    "s3": "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
    "gs": "GOOGLE_SERVICE_ACCOUNT",
    "az": "AZURE_STORAGE_ACCOUNT_NAME and AZURE_STORAGE_ACCOUNT_KEY",
}
NOTHING_THERE: Final = frozenset({"NoSuchKey", "BlobNotFound"})
NO_BUCKET: Final = frozenset({"NoSuchBucket", "ContainerNotFound"})
BUCKET: Final = re.compile(r"[a-z0-9][a-z0-9._-]{1,61}[a-z0-9]")
CODE: Final = re.compile(r"<Code>(\w+)</Code>")
STATUS: Final = re.compile(r"status code: (\d{3})")
NO_TABLE: Final = "no-table"
"""A folder that no table has: its list is short, and asking for it needs the right to list."""
METADATA_SERVICE: Final = "169.254.169.254"
"""Where the library looks for credentials if the environment names none."""


class ObjectKeeper:
    """A keeper that is a bucket, or a prefix in one (a ``Keeper``)."""

    def __init__(self, url: str) -> None:
        self.url = url.rstrip("/")
        self._scheme, self._bucket = refuse_malformed(url)
        self._endpoint = _endpoint() if self._scheme == "s3" else None
        self._store = self._reached()
        self._creates: bool | None = None
        """Whether the store refuses to put over what is there; None before it was tried."""

    def put(self, name: str, content: bytes) -> None:
        """Keep it, in place of what is there."""
        self._put(name, content, create=False)

    def put_once(self, name: str, content: bytes) -> None:
        """Keep it, if nothing is there. A store that puts over what is there is asked first: only a race stays open."""
        if not self.refuses_overwriting:
            there = self.get(name)
            if there is None:
                self._put(name, content, create=False)
                return
        elif self._put(name, content, create=True):
            return
        elif (there := self.get(name)) is None:
            raise KeeperAway(f"{self.url}/{name} was there and is gone: somebody else writes there; try again")
        if there != content:
            raise KeptOtherwise(name, there, content)

    def get(self, name: str) -> bytes | None:
        """What the object holds."""
        with self._told():
            try:
                return bytes(obstore.get(self._store, name).bytes())
            except FileNotFoundError as missing:
                if _code(missing) not in NOTHING_THERE:
                    raise
                return None

    def names(self, folder: str) -> Sequence[str]:
        """The objects of a folder."""
        with self._told():
            found = obstore.list_with_delimiter(self._store, folder)["objects"]  # pyright: ignore[reportUnknownMemberType]  # the overload with arrow tables, which are not installed
        return sorted(one["path"].rpartition("/")[2] for one in found)

    def remove(self, name: str) -> None:
        """Delete the object; in a bucket with versions or a lock it stays behind a marker."""
        with self._told(), suppress(FileNotFoundError):
            obstore.delete(self._store, name)

    def refuse_unusable(self, *, writing: bool) -> None:
        """Ask for a list; where it is to be written, mark the place."""
        self.names(NO_TABLE)
        if writing:
            self._creates = self._mark()

    @property
    def refuses_overwriting(self) -> bool:
        """Whether the store itself keeps what is there (conditional writes); else we look before we put."""
        if self._creates is None:
            self._creates = self._mark()
        return self._creates

    def _mark(self) -> bool:
        """Say what the place is for, and learn whether a second put over the first is refused."""
        try:
            return not (self._put(MARK, MARK_TEXT, create=True) and self._put(MARK, MARK_TEXT, create=True))
        except NotImplementedError:
            self._put(MARK, MARK_TEXT, create=False)
            return False

    def _put(self, name: str, content: bytes, *, create: bool) -> bool:
        """Whether it was put; ``False`` where something is there and nothing may be put over it."""
        with self._told():
            try:
                obstore.put(self._store, name, content, mode="create" if create else "overwrite", use_multipart=False)
            except AlreadyExistsError:
                return False
            return True

    def _reached(self) -> "ObjectStore":
        # An http:// endpoint was named by somebody: nothing but the library's caution speaks against it.
        plain = self._endpoint is not None and self._endpoint.startswith("http://")
        options: ClientConfig = {
            "timeout": timedelta(seconds=REQUEST_S),
            "connect_timeout": timedelta(seconds=CONNECT_S),
            "allow_http": plain,
        }
        retries: RetryConfig = {
            "max_retries": RETRIES,
            "retry_timeout": timedelta(seconds=REQUEST_S),
            "backoff": {"init_backoff": timedelta(milliseconds=100), "max_backoff": timedelta(seconds=1)},
        }
        try:
            return from_url(self.url, client_options=options, retry_config=retries)
        except (BaseError, ValueError) as wrong:
            raise KeeperUnfit(
                f"{self.url} cannot be used: {_first_line(wrong)}; set {CREDENTIALS[self._scheme]} in the environment"
            ) from wrong

    @contextmanager
    def _told(self) -> Generator[None]:
        try:
            yield
        except (BaseError, OSError, ValueError) as fault:
            raise self._meaning(fault) from fault

    def _meaning(self, fault: Exception) -> KeeperFault:
        """What a person has to know of it: one sentence that names the place and the mend."""
        said, code = str(fault), _code(fault)
        status = int(found[1]) if (found := STATUS.search(said)) is not None else 0
        where = f" at {self._endpoint}" if self._endpoint is not None else ""
        if METADATA_SERVICE in said:
            return KeeperUnfit(f"{self.url}: no credentials; set {CREDENTIALS[self._scheme]} in the environment")
        if code in NO_BUCKET:
            return KeeperUnfit(f"{self.url}: there is no bucket {self._bucket}{where}; make it, or name another")
        if status in (401, 403):
            return KeeperUnfit(
                f"{self.url}{where} refuses us ({code or status}): check {CREDENTIALS[self._scheme]}, and whether "
                "they may list, get, put and delete in this bucket"
            )
        if code == "NotImplemented":
            return KeeperUnfit(f"{self.url}{where} knows no conditional writes: set AWS_CONDITIONAL_PUT=disabled")
        if 300 <= status < 500:
            return KeeperUnfit(
                f"{self.url}{where} answers {status} {code}".rstrip() + "; check bucket, region, endpoint"
            )
        return KeeperAway(f"{self.url}{where} does not answer: {_first_line(fault)}")


def refuse_malformed(url: str) -> tuple[str, str]:
    """Scheme and bucket of an address; ``KeeperUnfit`` where it is none."""
    scheme, _, rest = url.partition("://")
    bucket = rest.partition("/")[0]
    if BUCKET.fullmatch(bucket) and not set(url) & set("?#%\\"):
        return scheme, bucket
    shown = re.sub(r"//[^/@]*@", "//…@", url)
    raise KeeperUnfit(
        f"{shown} names no bucket: write s3://bucket/prefix, and put credentials into {CREDENTIALS['s3']}"
    )


def _endpoint() -> str | None:
    """The endpoint that the environment names, if any; the library takes anything and breaks on it later."""
    for name in ENDPOINTS:
        named = os.environ.get(name)
        if named:
            parts = urlsplit(named)
            if parts.scheme not in {"http", "https"} or not parts.hostname:
                raise KeeperUnfit(f"{name}={named} is no address; write it as https://host or http://host:port")
            return named
    return None


def _code(fault: Exception) -> str:
    found = CODE.search(str(fault))
    return "" if found is None else found[1]


def _first_line(fault: Exception) -> str:
    """What the library says without its debug output, and without the address that is told already."""
    line = str(fault).partition("\n")[0].partition("<")[0]
    return re.sub(r"^.* - ", "", line).strip(" :") or type(fault).__name__
