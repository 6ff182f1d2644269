"""``python -m poolrummy.validator``."""

import sys

from poolrummy.validator.app import main

sys.exit(main())
