"""`python -m gitmem.hook`: the same as `ocm-hook`, for the launcher."""

from gitmem.hook.main import main

main()
