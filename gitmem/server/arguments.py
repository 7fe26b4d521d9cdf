"""The arguments of the tools, each with the few words that teach an assistant its use.

A description is read with every request of every conversation: keep them short.
"""

from typing import Annotated, Any, Literal

from pydantic import Field, WithJsonSchema

NOT_GIVEN: Any = None
"""The default of an argument of text. A `null` is dropped before it gets here."""

Text = Annotated[str, WithJsonSchema({"anyOf": [{"type": "string"}, {"type": "null"}]})]
"""Text or null. For `str | None` the SDK would take text that is JSON for its value."""
Bullets = list[str]


def _pair(first: str, second: str) -> WithJsonSchema:
    return WithJsonSchema(
        {
            "type": "object",
            "properties": {first: {"type": "string"}, second: {"type": "string"}},
            "required": [first, second],
        }
    )


SessionName = Annotated[
    str, Field(description="Id, its unique beginning, slug, or 'last'.")
]
SavedSession = Annotated[Text, Field(description="Only to save into another session.")]
Slug = Annotated[
    Text,
    Field(
        description="Its name: 3 or 4 words, as 'kv-cache-prefill'. First call only."
    ),
]
Goal = Annotated[
    Text, Field(description="What it is to achieve: 1 or 2 specific sentences.")
]
WorkCompleted = Annotated[Bullets | None, Field(description="To-dos done by now.")]
WorkPending = Annotated[
    Bullets | None, Field(description="ALL to-dos that are left. Replaces the list.")
]
WorkSummary = Annotated[
    Bullets | None, Field(description="What was done, in short bullets.")
]
Decisions = Annotated[
    Bullets | None, Field(description="'**Label:** why. [Link](url)'")
]
Tried = Annotated[Bullets | None, Field(description="What failed and why.")]
Constraints = Annotated[
    Bullets | None, Field(description="Rules and limits that hold.")
]
Blockers = Annotated[
    Bullets | None, Field(description="ALL that blocks now. Replaces the list.")
]
Questions = Annotated[
    Bullets | None, Field(description="ALL open questions. Replaces the list.")
]
PlanFiles = Annotated[
    list[Annotated[dict[str, Any], _pair("path", "header")]] | None,
    Field(description="Plans written: path, first heading."),
]
References = Annotated[
    list[Annotated[dict[str, Any], _pair("url", "title")]] | None,
    Field(description="Pages used; titles of 3 to 5 words."),
]
NewStatus = Annotated[
    Literal["open", "frozen", "closed"] | None,
    Field(description="'frozen' at about 70 % of the context, 'closed' at the end."),
]
ClientSession = Annotated[Text, Field(description="Your client's id of it, if known.")]
ToolName = Annotated[Text, Field(description="Your name. Usually known already.")]
ToolFilter = Annotated[Text, Field(description="Only this assistant's, as 'cursor'.")]
SearchQuery = Annotated[
    str,
    Field(
        description="What it was about, in the user's words. Dates, assistants, "
        "branches, paths, commits, 'phrases' and -unwanted words count: 'kv cache "
        "last week -docs'."
    ),
]
OtherWordings = Annotated[
    list[str] | None,
    Field(description="Up to 5 other wordings: synonyms, names the code might use."),
]
SearchLimit = Annotated[int, Field(description="At most 5.")]
SearchScope = Annotated[
    Literal["project", "global"],
    Field(description="'global': all repositories of the user."),
]
ListLimit = Annotated[int, Field(description="1 to 1000.")]
