"""All pages: where each is, what fills it, and how the others lead to it."""

from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import quote, urlencode

from gitmem.frozen import frozen
from gitmem.view import (
    memory_pages,
    search_page,
    session_list,
    session_page,
    sharing_page,
    source_page,
    start_page,
    told_page,
)
from gitmem.workspace import Workspace

Parameters = Mapping[str, str]
Values = dict[str, Any]
PageValues = Callable[[Workspace, Parameters], Values]


@frozen
class ViewPage:
    path: str
    """The path of its URL, with `{name}` for the document that it is about."""
    values: PageValues
    """Returns what fills its template."""
    title: str = ""
    """The word in the navigation; "" for a page that is reached from others."""
    is_slow: bool = False
    """True if others do not wait for it; it shares nothing with them."""


PAGES = {
    "start": ViewPage("/", start_page.values, "Start"),
    "sessions": ViewPage("/sessions", session_list.values, "Sessions"),
    "search": ViewPage("/search", search_page.values, "Search"),
    "memories": ViewPage("/memories", memory_pages.list_values, "Memories"),
    "why": ViewPage("/why", source_page.values, "Why"),
    "context": ViewPage("/context", told_page.values, "Context"),
    "sharing": ViewPage("/sharing", sharing_page.values, "Sharing"),
    "care": ViewPage("/care", sharing_page.care_values, "Care", is_slow=True),
    "session": ViewPage("/sessions/{name}", session_page.values),
    "conversation": ViewPage(
        "/sessions/{name}/conversation", session_page.conversation_values
    ),
    "changes": ViewPage("/sessions/{name}/changes", session_page.changes_values),
    "diff": ViewPage("/sessions/{name}/diff", session_page.diff_values),
    "told": ViewPage("/sessions/{name}/context", session_page.told_values),
    "memory": ViewPage("/memories/{name}", memory_pages.values),
}
"""Pages by name, which is that of their template as well."""
WRITING_PAGES = {
    "remember": ViewPage("/remember", memory_pages.new_values),
    "edit": ViewPage("/edit/{name}", session_page.edit_values),
}
"""Pages with a form, likewise, which are there with `--write` alone."""


def served_link(page: str, **parameters: object) -> str:
    """Return the URL of a page; parameters without a value are left out."""
    texts = {name: str(value) for name, value in parameters.items() if value}
    path = (PAGES | WRITING_PAGES)[page].path
    if "{name}" in path:
        path = path.replace("{name}", quote(texts.pop("name"), safe=""))
    return f"{path}?{urlencode(texts)}" if texts else path
