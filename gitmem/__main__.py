"""The program, from its first moment: Ctrl-C ends it quietly while it loads as well."""

import sys


def main() -> None:
    try:
        from gitmem.cli.main import main
    except KeyboardInterrupt:
        sys.exit(130)  # as `gitmem.cli.failure` says of it
    main()


if __name__ == "__main__":
    main()
