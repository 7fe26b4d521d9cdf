"""A command line that stands on standard input as a JSON list.

Other users see the command line of a process, and a request may have anything in it:

    python -m gitmem.cli.from_stdin < ARGUMENTS
"""

import json
import sys

from gitmem.cli.failure import leave
from gitmem.cli.main import run
from gitmem.cli.streams import prepare

if __name__ == "__main__":
    prepare()
    leave(run(json.load(sys.stdin)))
