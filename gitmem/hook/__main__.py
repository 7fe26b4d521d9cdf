"""`ocm-hook`, and `python -m gitmem.hook` for the launcher."""

import signal


def main() -> None:
    """Run to the end, which is near: Ctrl-C is meant for the host."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    from gitmem.hook.main import main

    main()


if __name__ == "__main__":
    main()
