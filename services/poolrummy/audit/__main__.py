"""``python -m poolrummy.audit``: the notary."""

import sys

from poolrummy.audit.app import main

sys.exit(main())
