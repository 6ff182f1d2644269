"""``python -m poolrummy.contracts_pages --check|--write``."""

import argparse
import sys
from pathlib import Path

from poolrummy.contracts_pages.pages import stale, write

ROOT = Path(__file__).resolve().parents[3]


def main() -> int:
    """Check or write the pages of this checkout; 1 where a page is stale."""
    parser = argparse.ArgumentParser(prog="python -m poolrummy.contracts_pages", description=__doc__)
    action = parser.add_mutually_exclusive_group(required=True)
    action.add_argument("--check", action="store_true", help="name every stale page and exit 1 if there is one")
    action.add_argument("--write", action="store_true", help="write every stale page")
    asked = parser.parse_args()

    if asked.write:
        for path in write(ROOT):
            sys.stdout.write(f"written: {path}\n")
        return 0
    found = stale(ROOT)
    for path in found:
        sys.stderr.write(f"stale: {path}\n")
    if found:
        sys.stderr.write("the contracts and their pages differ; mend it with: make fix\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
