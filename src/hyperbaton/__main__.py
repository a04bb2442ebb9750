"""`python -m hyperbaton` is the command `hyperbaton`."""

import sys

from hyperbaton.cli.main import main

sys.exit(main())
