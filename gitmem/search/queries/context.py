"""Word lists of queries, and whether words that ask for something surround a part.

"Today" is a date in "what did we do today" and none in "add today button": there such
words stand on both sides of it. Words of a text are one space apart.
"""

from gitmem.text.patterns import pattern

TAKEN = ";"
"""Put in the place of what was understood: one thought ends, and another begins."""
HELD = "\ue000"
"""Put in the place of something quoted, which is asked for and not looked into."""

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
    all conversation conversations everything find last latest list recent session
    sessions show stuff thing things work worked working
    """.split()  # noqa: SIM905 - a literal would be a line for every word
)
"""What people wrap around a filter: "show me all sessions from last week"."""

OPENERS = frozenset(
    "after before during last past since this today until yesterday".split()  # noqa: SIM905 - as above
)
"""What a filter may begin with, and so what ends what stands before it."""

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
"""Of the files that programmers write, without the dot."""

FILE_NAMES = frozenset(
    """
    brewfile containerfile dockerfile gemfile jenkinsfile justfile makefile podfile
    procfile rakefile vagrantfile codeowners go.mod go.sum go.work
    """.split()  # noqa: SIM905 - a literal would be a line for every word
)
"""Of files without a known extension, in lower case."""


def is_at_an_edge(text: str, start: int, end: int) -> bool:
    """Return whether [start, end) is at the beginning or the end of a thought."""
    before = _THOUGHT_ENDS.split(text[:start])[-1]
    after = _THOUGHT_ENDS.split(text[end:], maxsplit=1)[0]
    if not _WORD.search(before) or not _asks(after):
        return True
    return not _asks(before) and not goes_on(text, end)


def goes_on(text: str, end: int) -> bool:
    """Return whether the next word is one that asks for something, or `to`."""
    match = _NEXT.match(text, end)
    if match is None:
        return False
    word = match[1].lower()
    return word == "to" or not (word in FILLERS or word in OPENERS)


def _asks(text: str) -> bool:
    return any(word.lower() not in FILLERS for word in _WORD.findall(text))


_THOUGHT_ENDS = pattern("[;,]")
_WORD = pattern(rf"\w+|{HELD}")
_NEXT = pattern(rf" ?(\w+|{HELD})")
