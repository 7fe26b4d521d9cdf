"""The documents say what is so: links, names, words and the example are checked."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

from support.rounds import every_row

from gitmem.assistants.known import CONFIGURED
from gitmem.documents.conversation import conversation
from gitmem.documents.event import Trigger
from gitmem.documents.header import split
from gitmem.documents.session import parsing, rendering
from gitmem.documents.session.fields import FIELDS
from gitmem.documents.session.parsing import parse
from gitmem.documents.session.rendering import render

ROOT = Path(__file__).parent.parent
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
DECISIONS = sorted((ROOT / "docs" / "decisions").glob("*.md"))
FOR_DEVELOPERS = [
    ROOT / name
    for name in ("ARCHITECTURE.md", "CONTRIBUTING.md", "docs/reliability.md")
]
FORMAT = (ROOT / "docs" / "format.md").read_text("utf-8")
GLOSSARY = (ROOT / "docs" / "glossary.md").read_text("utf-8")
ARCHITECTURE = (ROOT / "ARCHITECTURE.md").read_text("utf-8")

_FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
_CODE = re.compile(r"(`+).+?\1")
_LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")


def named(path: Path) -> str:
    return str(path.relative_to(ROOT))


def prose(text: str) -> str:
    """The text without what is code."""
    return _CODE.sub("", _FENCE.sub("", text))


def anchors(text: str) -> set[str]:
    """The anchors that hosts make of headings."""
    headings = re.findall(r"^#+ (.+)$", _FENCE.sub("", text), re.MULTILINE)
    plain = (re.sub(r"[^\w\- ]", "", heading.lower()) for heading in headings)
    return {heading.replace(" ", "-") for heading in plain}


def links(path: Path) -> Iterator[str]:
    for target in _LINK.findall(prose(path.read_text("utf-8"))):
        if "://" not in target:
            yield target


@every_row("path", DOCUMENTS)
def test_every_link_between_documents_leads_somewhere(path: Path) -> None:
    for link in links(path):
        name, _, anchor = link.partition("#")
        target = path.parent / name if name else path
        assert target.exists(), link
        assert not anchor or anchor in anchors(target.read_text("utf-8")), link


@every_row("path", FOR_DEVELOPERS)
def test_every_file_of_ours_that_a_document_names_exists(path: Path) -> None:
    ours = r"(?<![\w/.])(?:gitmem|hooks|rules|tests)/[\w/.-]*\w"
    names = re.findall(ours, path.read_text("utf-8"))
    assert [each for each in names if not (ROOT / each).exists()] == []


def test_each_assistant_has_a_row_that_says_what_was_tried() -> None:
    text = (ROOT / "docs" / "assistants.md").read_text("utf-8")
    tried = text.partition("| assistant | lacks |")[0]
    for each in CONFIGURED:
        [row] = re.findall(rf"^\| {each.title} \|.*$", tried, re.MULTILINE)
        assert ("never run" in row, "documented" in row) == 2 * (each.is_untried,)


def test_the_glossary_is_short_and_sorted() -> None:
    words = re.findall(r"^\| \*\*([^*]+)\*\* \|", GLOSSARY, re.MULTILINE)
    assert words == sorted(words)
    assert len(words) <= 20


def unused_words() -> list[str]:
    table = GLOSSARY.partition("## Words we do not use")[2]
    cells = re.findall(r"^\| ([^|]+) \|", table, re.MULTILINE)
    return [word.strip() for cell in cells[1:] for word in cell.split(",")]


OTHERS_OWN = {
    "docs/glossary.md",  # names the words
    "gitmem/assistants/cursor.py",  # a command of theirs
    "gitmem/assistants/known.py",  # a folder of theirs
    "tests/cli/test_resume.py",
    "tests/actions/importing/test_foreign.py",  # a folder of theirs
    "tests/hook/test_documented.py",  # a folder of theirs
    "tests/actions/installing/test_present.py",
    "gitmem/redaction/rules/url_secrets.py",  # an address of another product
    "gitmem/redaction/prose/known_words.py",  # what people say of a token
    "tests/redaction/labelled_texts.py",
    "tests/redaction/labelled_elsewhere.py",
    "tests/actions/installing/test_git_hooks.py",  # a key of pre-commit's settings
    "tests/redaction/test_secrets.py",  # tokens and addresses of other products
    "tests/support/transcripts.py",  # a file that Aider writes
    "tests/clients/stage.py",  # a tool of Claude Code
    "tests/clients/unsaved.py",
    "tests/fuzz/targets.py",
    "gitmem/git/failures.py",  # what git says
    "gitmem/search/queries/order.py",  # what people say for a conversation
    "rules/claude-code.md",  # a key that Copilot CLI reads
}
OTHERS_FORMATS = (
    "gitmem/assistants/",
    "tests/assistants/",
    "tests/clients/",
)
"""Where files that others write are read: their words are in them."""


def readable(path: Path) -> str:
    """All of a module; of a document what is not code, where others' names stand."""
    text = path.read_text("utf-8")
    # A file of assistants, a command, a format.
    for name in ("AGENTS.md", "filter-repo", "Agent Trace", "agent-trace"):
        text = text.replace(name, "")
    return prose(text) if path.suffix == ".md" else text


def test_words_we_do_not_use_are_not_used() -> None:
    words = unused_words()
    assert len(words) >= 6
    found = re.compile(rf"(?i)\b(?:{'|'.join(map(re.escape, words))})s?\b")
    texts = [
        *DOCUMENTS,
        *(path for top in ("gitmem", "tests") for path in (ROOT / top).rglob("*.py")),
        *(ROOT / "rules").rglob("*.md"),
    ]
    used = {
        f"{named(path)}: {word}"
        for path in texts
        if named(path) not in OTHERS_OWN and not named(path).startswith(OTHERS_FORMATS)
        for word in found.findall(readable(path))
    }
    assert used == set()


def test_the_example_document_is_one() -> None:
    after = FORMAT.partition("### A complete document")[2]
    [example] = re.findall(
        r"\A\s*^```markdown\n(.*?)^```$", after, re.MULTILINE | re.DOTALL
    )
    [session_id] = re.findall(r"^session_id: (.+)$", example, re.MULTILINE)
    assert render(parse(session_id, example)) == example
    observed = {"changed_meanwhile", "answers", "last_answer", "client_summary"}
    headings = [row.heading for row in FIELDS if row.name not in observed]
    assert [line for line in example.splitlines() if line in headings] == headings


def test_the_example_conversation_is_one() -> None:
    after = FORMAT.partition("\n## Conversations\n")[2]
    example = after.partition("```markdown\n")[2].partition("```\n")[0]
    turns = conversation.parse(example)
    assert {turn.speaker for turn in turns} == set(conversation.Speaker)
    assert conversation.render(turns) == example


def test_the_triggers_are_those_of_the_code() -> None:
    [row] = re.findall(r"^\| `Ocm-Trigger` \| (.+) \|$", FORMAT, re.MULTILINE)
    assert re.findall(r"`(\w+)`", row) == list(Trigger)


def test_the_header_keys_are_those_of_the_code() -> None:
    table = FORMAT.partition("### Header")[2].partition("### Sections")[0]
    keys = re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)
    after = FORMAT.partition("### A complete document")[2]
    example, _ = split(after.partition("```markdown\n")[2])
    written = [line.partition(":")[0] for line in example.splitlines()]
    keys_beside_work_done = [key for key in keys if key != "answers_at"]
    assert keys_beside_work_done == written[: len(keys) - 1]
    assert set(keys) == parsing._KEYS


def test_the_format_is_the_one_that_is_described() -> None:
    assert f"\nVersion {rendering.FORMAT}. " in FORMAT


def test_the_layers_are_drawn_as_they_are_checked() -> None:
    drawing = ARCHITECTURE.partition("## Layers")[2].split("```")[1]
    drawn = re.findall(r"^ ([a-z_]+(?: \| [a-z_]+)*)  ", drawing, re.MULTILINE)
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    assert drawn == settings["tool"]["importlinter"]["contracts"][0]["layers"]


def test_every_test_that_holds_an_invariant_exists() -> None:
    tests = "".join(
        path.read_text("utf-8") for path in Path(__file__).parent.rglob("*.py")
    )
    claimed = re.findall(r"`(test_\w+)`", ARCHITECTURE)
    assert len(claimed) >= 10
    assert [name for name in claimed if f"def {name}(" not in tests] == []


@every_row("path", DECISIONS)
def test_a_decision_has_its_number_and_its_three_sections(path: Path) -> None:
    text = path.read_text("utf-8")
    assert text.startswith(f"# {path.name[:4]} ")
    sections = re.findall(r"^## (.+)$", text, re.MULTILINE)
    assert sections == ["Context", "Decision", "Consequences"]
