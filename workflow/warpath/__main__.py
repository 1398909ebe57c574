import sys

from warpath.warm import client

try:
    status = client.hand_over(sys.argv[1:], "warpath.cli")
except KeyboardInterrupt:  # the command ends with its client
    sys.exit(130)
if status is None:
    from warpath.cli import main

    status = main()
sys.exit(status)
