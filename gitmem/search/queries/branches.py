"""The branch that a query asks for: `branch:feat/x`, "on the feat/x branch".

What is no name of a branch for certain is words: code has branches, too, and
"the else branch" is one of them.
"""

import re
from collections.abc import Iterator

from gitmem.search.queries.context import TAKEN, Surroundings
from gitmem.search.queries.vocabulary import EXTENSIONS
from gitmem.text.patterns import pattern


def take_branch(text: str) -> tuple[str | None, str]:
    """The branch that `text` asks for, in lower case, and what is left of it."""
    around = Surroundings(text)
    for match in _asking(text):
        name = _clean(
            match["key"] or match["after"] or match["before"] or match["bare"]
        )
        if name and _is_meant(match, name, around):
            return name, f"{text[: match.start()]}{TAKEN}{text[match.end() :]}"
    return None, text


def _asking(text: str) -> Iterator[re.Match[str]]:
    """All that may ask for one: in "of branch main" it is "branch main" that does."""
    at = 0
    while match := _ASKING.search(text, at):
        yield match
        at = match.start() + 1


_NAME = r"[^\s;]{1,100}"
_ASKING = pattern(
    rf"(?<!\S)branch:(?P<key>{_NAME})"
    rf"|(?<!\S)(?P<on>(?:on|in|from) )?(?:the )?branch (?P<after>{_NAME})"
    rf"|(?<!\S)(?P<from>(?:on|in|from) )?(?P<the>(?:the|my) )?(?P<before>{_NAME})"
    r" branch(?![\w-]|:\S)"
    rf"|(?<!\S)(?:on|in|from) (?P<bare>{_NAME}/{_NAME})",
    re.IGNORECASE,
)


def _clean(name: str) -> str:
    name = name.strip(".,;:!?()[]{}`\"'").lower()
    return re.sub(r"^(?:refs/heads/|origin/)", "", name)


def _is_meant(match: re.Match[str], name: str, around: Surroundings) -> bool:
    if match["key"]:
        return True
    if not _POSSIBLE.fullmatch(name) or name.rpartition(".")[2] in EXTENSIONS:
        return False
    if _PREFIXED.match(name):
        return True
    if match["bare"]:
        return False
    if match["after"]:
        is_said = (
            match["on"] and name not in _NO_NAMES and not around.goes_on(match.end())
        )
        return name in _USUAL or bool(is_said)
    is_formed = re.search(r"[/_\d-]", name) and match["from"] and match["the"]
    return name in _USUAL or bool(is_formed)


_POSSIBLE = pattern(r"[\w.@#+-]+(?:/[\w.@#+-]+)*")
_PREFIXED = pattern(
    r"(?:feat|feature|features|fix|bug|bugfix|hotfix|chore|release|releases|dependabot"
    r"|renovate|refactor|wip|spike|experiment|topic)/"
)
_USUAL = {"main", "master", "develop", "trunk", "staging"}
_NO_NAMES = frozenset(
    """
    changes checkout checkouts coverage create creation delete deletion merge name names
    prediction protection push pushes rename renames switch switches switching update
    updates
    """.split()  # noqa: SIM905 - a literal would be a line for every word
)
"""What happens on a branch, or to it: "run the hook on branch creation"."""
