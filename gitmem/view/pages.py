"""All pages: where each is, what fills it, and how the others lead to it.

The module of a page is imported when the page is asked for: the first one, for which
somebody waits, needs few of them.
"""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any
from urllib.parse import quote, urlencode

from gitmem.frozen import frozen
from gitmem.workspace import Workspace

Values = dict[str, Any]
PageValues = Callable[[Workspace, Mapping[str, str]], Values]
Form = Mapping[str, str]
FormAction = Callable[[Workspace, str, Form], str | Values]
"""Takes the name of the document and what the form says; returns the next URL, or what
fills the page of the editor again."""


@frozen
class ViewPage:
    path: str
    """The path of its URL, with `{name}` for the document that it is about."""
    module: str
    """The module here with the function that returns what fills its template."""
    function: str = "values"
    title: str = ""
    """The word in the navigation; "" for a page that is reached from others."""
    is_slow: bool = False
    """True if others do not wait for it; it shares nothing with them."""
    is_form: bool = False
    """True for a page that is there with `--write` alone."""

    @property
    def values(self) -> PageValues:
        module = import_module(f"gitmem.view.{self.module}")
        values: PageValues = getattr(module, self.function)
        return values


PAGES = {
    "start": ViewPage("/", "start_page", title="Start"),
    "sessions": ViewPage("/sessions", "session_list", title="Sessions"),
    "search": ViewPage("/search", "session_list", "search_values", "Search"),
    "memories": ViewPage("/memories", "memory_pages", "list_values", "Memories"),
    "why": ViewPage("/why", "source_page", title="Why"),
    "context": ViewPage("/context", "state_pages", "context_values", "Context"),
    "sharing": ViewPage("/sharing", "state_pages", "sharing_values", "Sharing"),
    "care": ViewPage("/care", "state_pages", "care_values", "Care", is_slow=True),
    "session": ViewPage("/sessions/{name}", "session_page"),
    "conversation": ViewPage(
        "/sessions/{name}/conversation", "session_page", "conversation_values"
    ),
    "changes": ViewPage("/sessions/{name}/changes", "session_page", "changes_values"),
    "diff": ViewPage("/sessions/{name}/diff", "session_page", "diff_values"),
    "told": ViewPage("/sessions/{name}/context", "session_page", "told_values"),
    "memory": ViewPage("/memories/{name}", "memory_pages"),
    "remember": ViewPage("/remember", "memory_pages", "new_values", is_form=True),
    "edit": ViewPage("/edit/{name}", "session_page", "edit_values", is_form=True),
}
"""Pages by name, which is that of their template as well."""


def served_link(page: str, **parameters: object) -> str:
    """Return the URL of a page; parameters without a value are left out."""
    texts = {name: str(value) for name, value in parameters.items() if value}
    path = PAGES[page].path
    if "{name}" in path:
        path = path.replace("{name}", quote(texts.pop("name"), safe=""))
    return f"{path}?{urlencode(texts)}" if texts else path
