"""Filters of a query: assistant, branch, author, phrases and unwanted words.

A doubtful filter stays words: "drag with cursor keys" does not mean the assistant, and
"the else branch" is code.
"""

import re
from collections.abc import Iterable, Mapping

from gitmem.search.queries.context import (
    ALSO_WORDS,
    FILLERS,
    HELD,
    TAKEN,
    continues_query,
)
from gitmem.search.words import tokens
from gitmem.text.patterns import pattern

TakenFilter = tuple[str | None, str]
"""The value of a filter, if there is one, and the text without it."""


def take_tool(text: str, tools: Mapping[str, str]) -> TakenFilter:
    """Return the first assistant that `text` names: "in cursor", "codex sessions".

    `tools` maps what people call an assistant to its name. `tool:` takes any name.
    """
    plain_text = _plain(text)  # a pattern of all names takes 4 ms to compile
    plain_names = ((_plain(spoken), tool) for spoken, tool in tools.items())
    tools_by_name = {
        spoken: tool for spoken, tool in plain_names if spoken in plain_text
    }
    for match in _asking_for(tuple(tools_by_name)).finditer(text):
        if match["key"] or _is_tool(match):
            spoken = match["key"] or match["thing"] or match["with"] or match["kind"]
            return tools_by_name.get(_plain(spoken), spoken.lower()), _without(match)
    return None, text


def tool_named(words: Iterable[str], tools: Mapping[str, str]) -> str | None:
    """Return the assistant that the words name, if they say nothing else."""
    name = " ".join(word for word in words if word not in FILLERS).casefold()
    return None if name in ALSO_WORDS else tools.get(name)


def take_branch(text: str) -> TakenFilter:
    """Return the branch of `branch:X` or "on branch X", in lower case."""
    for match in _BRANCH.finditer(text):
        name = match["name"].strip(".,;:!?()[]{}`\"'").lower()
        name = re.sub(r"^(?:refs/heads/|origin/)", "", name)
        if _POSSIBLE.fullmatch(name):
            return name, _without(match)
    return None, text


def take_author(text: str) -> TakenFilter:
    """Return the name or address behind `author:`, in lower case."""
    for match in _AUTHOR.finditer(text):
        name = (match["quoted"] or match["bare"]).strip(" .,:!?()[]{}<>`'").lower()
        if tokens(name):
            return name, _without(match)
    return None, text


def _without(match: re.Match[str]) -> str:
    return f"{match.string[: match.start()]}{TAKEN}{match.string[match.end() :]}"


def _is_tool(match: re.Match[str]) -> bool:
    """Return whether an assistant is meant: the thought ends behind its name.

    "Gemini session cookie" is about a cookie; "gemini cli session cookie" is not.
    """
    if kind := match["kind"]:
        if _plain(kind) == "continue":
            return False
        if match["many"] or " " in _plain(kind):
            return True
    if match["with"] and _plain(match["with"]) in ALSO_WORDS:
        return False
    return not continues_query(match.string, match.end())


def _asking_for(names: tuple[str, ...]) -> re.Pattern[str]:
    longest_first = sorted(names, key=len, reverse=True)
    name = "|".join(re.escape(name).replace(r"\ ", "[ _-]") for name in longest_first)
    any_name = f"(?:{name or '(?!)'})"
    sessions = "(?:sessions?|conversations?)"
    end = r"(?![\w/\\-]|[.:]\w)"
    return re.compile(
        rf"(?<!\S)tool:\"?(?P<key>{any_name}(?![\w.-])|[\w.-]+)\"?"
        rf"|\bin (?P<thing>{any_name})(?: {sessions})?{end}"
        rf"|\b(?:with|using|via|by|from) (?P<with>{any_name})(?: {sessions})?{end}"
        rf"|(?<![\w/.-])(?P<kind>{any_name}) (?:session|conversation)(?P<many>s)?{end}",
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
"""Most phrases, and most unwanted words; further ones are plain words."""
LONGEST = 32
"""Most words of a phrase: a longer quotation is pasted text."""


def take_quoted(text: str) -> tuple[list[str], list[str], str]:
    """Return the phrases, the unwanted words behind a minus, and the rest of `text`.

    The rest has HELD in the place of each phrase, and TAKEN for an unwanted word.
    """
    phrases: list[str] = []
    without: list[str] = []

    def take(match: re.Match[str]) -> str:
        content = (match[match.lastgroup or 0]).strip().rstrip(_CLOSING)
        unwanted = bool(match["minus"] or match["word"])
        filters = without if unwanted else phrases
        if len(filters) == MOST or not 0 < len(tokens(content)) <= LONGEST:
            return match[0]
        filters.append(content)
        return TAKEN if unwanted else HELD

    rest = _QUOTED.sub(take, text)
    return phrases, without, rest


def with_phrases(text: str, phrases: Iterable[str]) -> str:
    """Return `text` with the phrases in the places of HELD."""
    next_phrase = iter(phrases)
    return re.sub(HELD, lambda _: f" {next(next_phrase, '')} ", text)


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
"""A phrase in quotes. One in single quotes has several words: `'foo'` is a name.
Neither the key nor the value of `"key":"value"` is a phrase.
"""
_CLOSING = " .,;:!?)]}\"'"
