"""Hands and shows as JSON Lines for programs: one answer a line at once, bad lines told apart on standard error."""

import os
import sys
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Final

import msgspec

from poolrummy.commands.hand_checks import Asked, Unreadable, cards_of, refuse_impossible, refuse_wrong_number, wild_of
from poolrummy.commands.hand_lines import HandAnswer, HandLine, LaidGroup, ShowAnswer, ShowLine
from poolrummy.rules.arranger import arrange
from poolrummy.rules.declaration import judge

EXIT_BAD_LINE: Final = 1
PROGRESS_S: Final = 0.5
Answer = Callable[[bytes], bytes]


def arranging(terms: Asked, wild: str | None) -> Answer:
    """From a line with a hand to the line that answers it; ``wild`` is for lines that name none."""
    read = msgspec.json.Decoder(HandLine).decode
    write = msgspec.json.Encoder().encode

    def answer(line: bytes) -> bytes:
        given = read(line)
        turned = _wild(given.wild, wild)
        hand = cards_of(given.hand)
        refuse_wrong_number(hand)
        refuse_impossible(hand, turned, terms)
        found = arrange(hand, turned, terms.rules)
        groups = tuple([LaidGroup(group.kind, group.cards) for group in found.groups])
        return write(HandAnswer(given.id, found.raw, found.points, found.declarable, groups, found.leftover))

    return answer


def judging(terms: Asked, wild: str | None) -> Answer:
    """From a line with a show to the line with its verdict; a hand of 12 cards is judged, not refused (rule 6.3)."""
    read = msgspec.json.Decoder(ShowLine).decode
    write = msgspec.json.Encoder().encode

    def answer(line: bytes) -> bytes:
        given = read(line)
        turned = _wild(given.wild, wild)
        hand = cards_of(given.hand)
        refuse_impossible(hand, turned, terms)
        judged = judge([cards_of(group) for group in given.groups], hand, turned, terms.rules)
        return write(ShowAnswer(given.id, judged.valid, judged.reason))

    return answer


def streamed(name: str, path: Path, answer: Answer) -> int:
    """Answer every line of a file, each at once; the exit code tells whether a line was bad or nobody listens."""
    bad = 0
    progress = _Progress()
    out = sys.stdout.buffer
    with _opened(path) as lines:
        try:
            for number, line in enumerate(lines, start=1):
                if not line.strip():
                    continue
                try:
                    out.write(answer(line) + b"\n")
                    out.flush()
                except (Unreadable, msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as wrong:
                    bad += 1
                    progress.clear()
                    sys.stderr.write(f"poolrummy {name}: line {number}: {wrong}\n")
                progress.tell(number)
        except BrokenPipeError:
            # Whoever read the answers has enough; nothing more is to be said to them.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return EXIT_BAD_LINE
    progress.clear()
    return EXIT_BAD_LINE if bad else 0


@contextmanager
def _opened(path: Path) -> Generator[BinaryIO]:
    if str(path) == "-":
        yield sys.stdin.buffer
        return
    try:
        with path.open("rb") as lines:
            yield lines
    except (FileNotFoundError, IsADirectoryError, PermissionError) as refused:
        raise Unreadable(f"{path} cannot be read: {refused.strerror}") from refused


def _wild(of_line: str | None, of_all: str | None) -> str:
    if of_line is not None:
        return wild_of(of_line)
    if of_all is None:
        raise Unreadable("the wild card is missing: add it to the line, or give --wild")
    return of_all


class _Progress:
    """How far it is, on a terminal; but not on the one that the answers run over."""

    def __init__(self) -> None:
        self.shown = sys.stderr.isatty() and not sys.stdout.isatty()
        self.began_s = self.told_s = time.monotonic()

    def tell(self, lines: int) -> None:
        if not self.shown:
            return
        now_s = time.monotonic()
        if now_s - self.told_s >= PROGRESS_S:
            self.told_s = now_s
            sys.stderr.write(f"\r\x1b[K{lines:,} lines, {lines / (now_s - self.began_s):,.0f} a second")
            sys.stderr.flush()

    def clear(self) -> None:
        if self.shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
