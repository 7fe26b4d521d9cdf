"""Word lists of queries, and whether other search words surround a part of one.

"Today" is a date in "what did we do today" but not in "add today button", where search
words stand on both sides of it. Words of a text are one space apart.
"""

from gitmem.text.patterns import pattern

TAKEN = ";"
"""Placeholder for a recognised filter: one thought ends, and another begins."""
HELD = "\ue000"
"""Placeholder for a quoted phrase, which is a search word but not parsed further."""

STOP_WORDS = frozenset(
    """
    a about am an and any are as at be been being between but by can could did do does
    doing done for from had has have having he her here him his how i if in into is it
    its just lately let me my no nor not of off on or our out over own please recently
    she should so some such than that the their them then there these they this those
    through to too under until up very was we were what when where which while who whom
    why will with would you your s t d ll m re ve don didn doesn isn wasn aren weren won
    """.split()  # noqa: SIM905 - a literal would be a line for every word
)
"""English words that distinguish no sessions."""

FILLERS = STOP_WORDS | frozenset(
    """
    all conversation conversations earlier everything find last latest list recent
    session sessions show stuff thing things work worked working
    """.split()  # noqa: SIM905 - a literal would be a line for every word
)
"""Words that people wrap around a filter: "show me all sessions from last week"."""

OPENERS = frozenset(
    "after before during last past since this today until yesterday".split()  # noqa: SIM905 - as above
)
"""First words of filters, which end the thought before them."""

ALSO_WORDS = frozenset(
    "amp augment cody continue crush cursor devin droid goose warp".split()  # noqa: SIM905
)
"""Names of assistants that are things, verbs or people as well."""

EXTENSIONS = frozenset(
    """
    py pyi pyx ipynb ts tsx mts cts js jsx mjs cjs vue svelte astro go rs java kt kts
    scala groovy swift c h cc cpp cxx hpp cu m mm cs csproj sln fs rb php pl lua r jl ex
    exs erl elm hs ml clj dart zig nim wgsl glsl sh bash zsh fish ps1 bat sql prisma
    graphql proto html htm css scss sass less xml svg json jsonl json5 yaml yml toml ini
    cfg conf env lock csv tsv md mdx mdc rst txt adoc tex tf hcl nix gradle cmake mk j2
    log diff patch
    """.split()  # noqa: SIM905 - a literal would be a line for every word
)
"""Extensions of files that programmers write, without the dot."""

FILE_NAMES = frozenset(
    """
    brewfile containerfile dockerfile gemfile jenkinsfile justfile makefile podfile
    procfile rakefile vagrantfile codeowners go.mod go.sum go.work
    """.split()  # noqa: SIM905 - a literal would be a line for every word
)
"""Names of files without a known extension, in lower case."""


def is_at_an_edge(text: str, start: int, end: int) -> bool:
    """Return whether [start, end) is at the beginning or the end of a thought."""
    head = text[max(text.rfind(mark, 0, start) for mark in ";,") + 1 : start]
    tail = _THOUGHT_ENDS.split(text[end:], maxsplit=1)[0]
    if not _WORD.search(head) or not _asks(tail):
        return True
    return not _asks(head) and not continues_query(text, end)


def is_all_that_is_asked(text: str, start: int, end: int) -> bool:
    """Return whether no search word stands beside [start, end)."""
    return not _asks(text[:start]) and not _asks(text[end:])


def continues_query(text: str, end: int) -> bool:
    """Return whether the next word is a search word or `to`."""
    match = _NEXT.match(text, end)
    if match is None:
        return False
    word = match[1].lower()
    return word == "to" or not (word in FILLERS or word in OPENERS)


def _asks(text: str) -> bool:
    return any(word[0].lower() not in FILLERS for word in _WORD.finditer(text))


_THOUGHT_ENDS = pattern("[;,]")
_WORD = pattern(rf"\w+|{HELD}")
_NEXT = pattern(rf" ?(\w+|{HELD})")
