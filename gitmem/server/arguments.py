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
    str,
    Field(description="Session id, unique beginning of one, slug, or 'last'."),
]
SavedSession = Annotated[
    Text,
    Field(description="Only to save into another session than this conversation's."),
]
Slug = Annotated[
    Text,
    Field(
        description="Names the session: 3 or 4 words with hyphens, such as "
        "'kv-cache-prefill'. First checkpoint only."
    ),
]
Goal = Annotated[
    Text,
    Field(description="What this session is to achieve, in 1 or 2 specific sentences."),
]
WorkCompleted = Annotated[
    Bullets | None, Field(description="Newly completed to-dos. Appended.")
]
WorkPending = Annotated[
    Bullets | None,
    Field(description="ALL to-dos that are left. Replaces the former list."),
]
WorkSummary = Annotated[
    Bullets | None,
    Field(description="What was done since the last checkpoint. Appended."),
]
Decisions = Annotated[
    Bullets | None,
    Field(description="New decisions: '**Label:** why. [Link](url)'. Appended."),
]
PlanFiles = Annotated[
    list[Annotated[dict[str, Any], _pair("path", "header")]] | None,
    Field(description="Plan files made: path, and first heading as it is. Appended."),
]
References = Annotated[
    list[Annotated[dict[str, Any], _pair("url", "title")]] | None,
    Field(description="Pages consulted; title of 3 to 5 words. Appended."),
]
NewStatus = Annotated[
    Literal["open", "frozen", "closed"] | None,
    Field(description="'frozen' near the context limit, 'closed' at the end."),
]
ClientSession = Annotated[
    Text,
    Field(description="Your client's own id of this conversation, if you know it."),
]
ToolName = Annotated[
    Text,
    Field(description="Your name, such as 'cursor'. Usually known already."),
]
ToolFilter = Annotated[
    Text,
    Field(description="Only sessions of this assistant, such as 'claude-code'."),
]
SearchQuery = Annotated[
    str,
    Field(
        description="What the session was about, in the user's words. Dates, "
        "assistants, branches, paths, commits, 'quoted phrases' and -unwanted words "
        "count: 'kv cache last week', 'cursor sessions src/a.py -docs'."
    ),
]
OtherWordings = Annotated[
    list[str] | None,
    Field(
        description="Up to 5 other wordings: synonyms, names the code might use. They "
        "count less than the query."
    ),
]
SearchLimit = Annotated[int, Field(description="At most 5.")]
SearchScope = Annotated[
    Literal["project", "global"],
    Field(description="'project': this repository; 'global': all of the user's."),
]
ListLimit = Annotated[int, Field(description="1 to 1000.")]
