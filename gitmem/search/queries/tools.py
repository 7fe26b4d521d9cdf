"""The assistant or person that a query asks for: "in cursor", `author:ada`.

The bare name is a word. So is the name of a thing that is called like an assistant:
nobody who drags "with cursor keys" means the one that writes code.
"""

import re
from collections.abc import Mapping

from gitmem.search.queries.context import TAKEN, Surroundings
from gitmem.search.queries.vocabulary import ALSO_WORDS
from gitmem.search.words import tokens
from gitmem.text.patterns import pattern


def take_tool(text: str, tools: Mapping[str, str]) -> tuple[str | None, str]:
    """The first assistant that `text` asks for, and what is left of it as `text`.

    `tools` maps what people call an assistant to its name. `tool:` asks for any name.
    """
    named = {_plain(spoken): tool for spoken, tool in tools.items()}
    around = Surroundings(text)
    for match in _asking(tuple(named)).finditer(text):
        spoken = match["key"] or match["thing"] or match["with"] or match["kind"]
        if match["key"] or _is_meant(match, around):
            tool = named.get(_plain(spoken), spoken.lower())
            return tool, f"{text[: match.start()]}{TAKEN}{text[match.end() :]}"
    return None, text


def _is_meant(match: re.Match[str], around: Surroundings) -> bool:
    """Whether a thought ends there: "in vs code editor theme" is about an editor.

    "Gemini session cookie" is about a cookie; "gemini cli session cookie" is not.
    """
    if kind := match["kind"]:
        is_certain = match["many"] or " " in _plain(kind)
        if _plain(kind) in _IMPERATIVES:
            return False
        return bool(is_certain) or not around.goes_on(match.end())
    if match["with"] and _plain(match["with"]) in ALSO_WORDS:
        return False
    return not around.goes_on(match.end())


_IMPERATIVES = {"continue"}
"""What is asked to be done with a session."""


def _asking(names: tuple[str, ...]) -> re.Pattern[str]:
    longest_first = sorted(names, key=len, reverse=True)
    name = "|".join(re.escape(name).replace(r"\ ", "[ _-]") for name in longest_first)
    known = f"(?:{name or '(?!)'})"
    sessions = "(?:sessions?|conversations?)"
    return re.compile(
        rf"(?<!\S)tool:\"?(?P<key>{known}(?![\w.-])|[\w.-]+)\"?"
        rf"|\bin (?P<thing>{known})(?: {sessions})?{_END}"
        rf"|\b(?:with|using|via|by|from) (?P<with>{known})(?: {sessions})?{_END}"
        rf"|(?<![\w/.-])(?P<kind>{known}) (?:session|conversation)(?P<many>s)?{_END}",
        re.IGNORECASE,
    )


_END = r"(?![\w/\\-]|[.:]\w)"


def _plain(name: str) -> str:
    return re.sub("[ _-]", " ", name.casefold())


def take_author(text: str) -> tuple[str | None, str]:
    """The name or address that `text` asks for, and what is left of it."""
    for match in _ASKING.finditer(text):
        name = (match["quoted"] or match["bare"]).strip(_AROUND).lower()
        if tokens(name):
            return name, f"{text[: match.start()]}{TAKEN}{text[match.end() :]}"
    return None, text


_ASKING = pattern(
    r"(?<!\S)author:(?:\"(?P<quoted>[^\";]{1,100})\"|(?P<bare>[^\s;\"]{1,100}))",
    re.IGNORECASE,
)
_AROUND = " .,:!?()[]{}<>`'"
