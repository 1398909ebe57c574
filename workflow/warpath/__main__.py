import sys

from warpath.cli import main

sys.exit(main())
