"""``python -m poolrummy.dealer``."""

import sys

from poolrummy.dealer.app import main

sys.exit(main())
