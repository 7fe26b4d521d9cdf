"""What the launcher notes is what Python would have noted, whatever it is told."""

import re
import string
from pathlib import Path
from typing import Any

from hook.calls import Call, edit
from hook.editing import ONE, Project, project_at
from hypothesis import given, settings
from hypothesis import strategies as st
from support.rounds import rounds

from gitmem.assistants.claude_code.hooks import seen as claude_seen
from gitmem.hook.place import find_place
from gitmem.redaction.redact import redact
from gitmem.redaction.rules.tokens import TOKENS

TRICKS = [
    *('"file_path":"/x"', '{"file_path":"/x",', "\\", '\\"', "\n", "#", "/", "&", "\0"),
    *(',"tool_response":{"type":"create",', '},"tool_response":{"type":"create",'),
]
ROWS = [re.split(r"\s{2,}", row) for row in TOKENS.strip().splitlines()]
PREFIXES = [
    re.sub(r"\\|\[(.).*?\]|\(\?:(\w+).*?\)\??", r"\1\2", prefix)
    for _, _, prefix, _, _ in ROWS
]
"""Of each kind of token, with the first of what its pattern lets stand."""


def tokens() -> st.SearchStrategy[str]:
    made = st.text(string.ascii_letters + string.digits + "_-.", max_size=90)
    words = st.text(string.ascii_lowercase + "_-", max_size=60)
    return st.builds(str.__add__, st.sampled_from(PREFIXES), made | words)


def names() -> st.SearchStrategy[str]:
    word = st.text(string.ascii_lowercase, min_size=1, max_size=12)
    words = st.lists(word, min_size=1, max_size=6)
    joined = st.builds(str.join, st.sampled_from("._-"), words)
    camel = words.map(lambda each: "".join(map(str.capitalize, each)))
    plain = st.text(string.ascii_letters + string.digits + "._@+()[]-", max_size=40)
    odd = ["", ".", "..", ".git", ".openCodeMemory", "ü", " ", '"', "\\"]
    return (
        joined | camel | plain | tokens() | st.sampled_from(odd) | st.text(max_size=5)
    )


def contents() -> st.SearchStrategy[dict[str, Any]]:
    """What else the tool is given."""
    pieces = st.lists(st.sampled_from(TRICKS) | st.text(max_size=9), max_size=5)
    return st.dictionaries(
        st.sampled_from(["content", "old_string", "new_string", "replace_all"]),
        pieces.map("".join) | st.booleans() | st.none(),
    )


def calls(root: Path) -> st.SearchStrategy[Call]:
    base = edit(root, "", ONE)

    def call(names: list[str], kind: str, contents: dict[str, Any]) -> Call:
        path = "/".join([str(root), *names])
        response = {**base.payload["tool_response"], "type": kind}
        told = {"tool_input": {"file_path": path, **contents}}
        payload = {**base.payload, **told, "tool_response": response}
        return Call(payload, base.variables)

    kinds = st.sampled_from(["create", "update"])
    some = st.lists(names(), min_size=1, max_size=4)
    return st.builds(call, some, kinds, contents())


@settings(max_examples=rounds(3))
@given(data=st.data())
def test_shell_and_python_agree(repository: Path, data: st.DataObject) -> None:
    agree(project_at(repository), data)


def agree(project: Project, data: st.DataObject) -> None:
    call = data.draw(calls(project.root))
    project.forget()
    project.edited(call)
    meant = claude_seen(call.payload)
    assert meant is not None
    if project.noted():
        place = find_place(project.root)
        assert place is not None
        path = place.path_of(meant.path, meant.folder)
        assert project.noted() == [(path, meant.change)]
        assert redact(str(path)) == path
        assert project.handed() is None
    else:
        handed = project.handed()
        assert handed is not None
        assert (handed.path, handed.change) == (meant.path, meant.change)
