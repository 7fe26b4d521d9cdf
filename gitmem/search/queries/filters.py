"""Filters of a query: assistant, branch, author, phrases and unwanted words.

What is none of them for certain is words. Nobody who drags "with cursor keys" means the
assistant; code has branches, too, and "the else branch" is one of them.
"""

import re
from collections.abc import Iterable, Mapping

from gitmem.search.queries.context import ALSO_WORDS, HELD, TAKEN, goes_on
from gitmem.search.words import tokens
from gitmem.text.patterns import pattern

Taken = tuple[str | None, str]
"""What is asked for, if anything, and what is left of the text."""


def take_tool(text: str, tools: Mapping[str, str]) -> Taken:
    """Return the first assistant that `text` asks for: "in cursor", "codex sessions".

    `tools` maps what people call an assistant to its name. `tool:` asks for any name.
    """
    said = _plain(text)  # a pattern of all names takes 4 ms to compile
    known = ((_plain(spoken), tool) for spoken, tool in tools.items())
    named = {spoken: tool for spoken, tool in known if spoken in said}
    for match in _asking_for(tuple(named)).finditer(text):
        if match["key"] or _is_tool(match):
            spoken = match["key"] or match["thing"] or match["with"] or match["kind"]
            return named.get(_plain(spoken), spoken.lower()), _without(match)
    return None, text


def take_branch(text: str) -> Taken:
    """Return the branch of `branch:X` or "on branch X", in lower case."""
    for match in _BRANCH.finditer(text):
        name = match["name"].strip(".,;:!?()[]{}`\"'").lower()
        name = re.sub(r"^(?:refs/heads/|origin/)", "", name)
        if _POSSIBLE.fullmatch(name):
            return name, _without(match)
    return None, text


def take_author(text: str) -> Taken:
    """Return the name or address behind `author:`, in lower case."""
    for match in _AUTHOR.finditer(text):
        name = (match["quoted"] or match["bare"]).strip(" .,:!?()[]{}<>`'").lower()
        if tokens(name):
            return name, _without(match)
    return None, text


def _without(match: re.Match[str]) -> str:
    return f"{match.string[: match.start()]}{TAKEN}{match.string[match.end() :]}"


def _is_tool(match: re.Match[str]) -> bool:
    """Return whether a thought ends there: not in "in vs code editor theme".

    "Gemini session cookie" is about a cookie; "gemini cli session cookie" is not.
    """
    if kind := match["kind"]:
        if _plain(kind) == "continue":
            return False
        if match["many"] or " " in _plain(kind):
            return True
    if match["with"] and _plain(match["with"]) in ALSO_WORDS:
        return False
    return not goes_on(match.string, match.end())


def _asking_for(names: tuple[str, ...]) -> re.Pattern[str]:
    longest_first = sorted(names, key=len, reverse=True)
    name = "|".join(re.escape(name).replace(r"\ ", "[ _-]") for name in longest_first)
    known = f"(?:{name or '(?!)'})"
    sessions = "(?:sessions?|conversations?)"
    end = r"(?![\w/\\-]|[.:]\w)"
    return re.compile(
        rf"(?<!\S)tool:\"?(?P<key>{known}(?![\w.-])|[\w.-]+)\"?"
        rf"|\bin (?P<thing>{known})(?: {sessions})?{end}"
        rf"|\b(?:with|using|via|by|from) (?P<with>{known})(?: {sessions})?{end}"
        rf"|(?<![\w/.-])(?P<kind>{known}) (?:session|conversation)(?P<many>s)?{end}",
        re.IGNORECASE,
    )


def _plain(name: str) -> str:
    return re.sub("[ _-]", " ", name.casefold())


_BRANCH = pattern(
    r"(?<!\S)(?:branch:|(?:on|in|from) (?:the )?branch )(?P<name>[^\s;]{1,100})",
    re.IGNORECASE,
)
_POSSIBLE = pattern(r"[\w.@#+-]+(?:/[\w.@#+-]+)*")
_AUTHOR = pattern(
    r"(?<!\S)author:(?:\"(?P<quoted>[^\";]{1,100})\"|(?P<bare>[^\s;\"]{1,100}))",
    re.IGNORECASE,
)


MOST = 8
"""Phrases, and things that are not wanted; further ones are words."""
LONGEST = 32
"""Words of a phrase. More in quotes are a text that was pasted, and no phrase."""


def take_quoted(text: str) -> tuple[list[str], list[str], str]:
    """Return what is quoted, what stands behind a minus, and what is left of `text`.

    That has HELD in the place of each phrase, and TAKEN for what is not wanted.
    """
    phrases: list[str] = []
    without: list[str] = []

    def take(match: re.Match[str]) -> str:
        said = (match[match.lastgroup or 0]).strip().rstrip(_CLOSING)
        unwanted = bool(match["minus"] or match["word"])
        taken = without if unwanted else phrases
        if len(taken) == MOST or not 0 < len(tokens(said)) <= LONGEST:
            return match[0]
        taken.append(said)
        return TAKEN if unwanted else HELD

    rest = _QUOTED.sub(take, text)
    return phrases, without, rest


def with_phrases(text: str, phrases: Iterable[str]) -> str:
    """Return `text` with the phrases in the places that are held for them."""
    each = iter(phrases)
    return re.sub(HELD, lambda _: f" {next(each, '')} ", text)


_QUOTED = pattern(
    r"(?<![\w:])(?P<minus>(?<!\S)-)?(?:"
    r'"(?P<straight>[^"]*)"'
    r"|[“„](?P<curly>[^“”„]*)[“”]"
    r"|«(?P<double>[^«»]*)»"
    r"|‹(?P<angle>[^‹›]*)›"
    r"|'(?=\S)(?P<single>(?:[^' ]|(?<=\w)'(?=\w))++(?: (?:[^' ]|(?<=\w)'(?=\w))++)+)'"
    r"|‘(?P<one>[^‘’ ]++ (?:[^‘’]|’(?=\w))++)’"
    r")(?!:?[\w\"])"
    r"|(?<!\S)-(?P<word>(?:[^\W\d]|[./](?=\w))\w[^\s;]*)"
)
"""In single quotes only of several words: `'foo'` is the name of something. Neither the
key nor the value of `"key":"value"` is a phrase.
"""
_CLOSING = " .,;:!?)]}\"'"
