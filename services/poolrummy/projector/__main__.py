"""``python -m poolrummy.projector``."""

import sys

from poolrummy.projector.app import main

sys.exit(main())
