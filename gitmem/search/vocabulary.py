"""The words and endings that a query is read with."""

STOP_WORDS = frozenset(
    """
    a about am an and any are as at be been being but by can could did do does doing
    done for from had has have having he her here him his how i if in into is it its
    just let me my no nor not of off on or our out over own please she should so some
    such than that the their them then there these they this those through to too under
    until up very was we were what when where which while who whom why will with would
    you your s t d ll m re ve don didn doesn isn wasn aren weren won
    """.split()  # noqa: SIM905 - a literal would be a line for every word
)
"""English words that tell no session from another."""

FILLERS = STOP_WORDS | frozenset(
    """
    all conversation conversations everything find last latest list recent session
    sessions show stuff thing things work worked working
    """.split()  # noqa: SIM905 - a literal would be a line for every word
)
"""What people wrap around a filter: "show me all sessions from last week"."""

EXTENSIONS = frozenset(
    """
    py pyi ipynb ts tsx js jsx mjs cjs vue svelte go rs java kt kts scala swift c h cc
    cpp cxx hpp m mm cs fs rb php pl lua r jl ex exs erl hs ml clj dart zig nim sh bash
    zsh fish ps1 bat sql graphql proto html htm css scss sass less xml svg json jsonl
    json5 yaml yml toml ini cfg conf env lock csv tsv md mdx rst txt adoc tex tf hcl nix
    gradle cmake mk diff patch
    """.split()  # noqa: SIM905 - a literal would be a line for every word
)
"""Of the files that programmers write, without the dot."""
