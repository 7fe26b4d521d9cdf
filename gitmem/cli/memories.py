"""`ocm remember`, `recall`, `memories` and `import notes`: single statements."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

from gitmem.actions.forgetting import forget
from gitmem.actions.remembering import clean_up, memory_answers, notes
from gitmem.actions.remembering.keeping import Action
from gitmem.actions.remembering.listing import list_memories
from gitmem.actions.remembering.marks import corrected_mark
from gitmem.actions.remembering.recall import RecalledMemory, RecallQuery
from gitmem.actions.remembering.remember import remember as remembered
from gitmem.actions.remembering.remember import remember_in_conversation
from gitmem.actions.remembering.session_statements import recall_all
from gitmem.actions.remembering.statement import SCOPES, SESSION, parse_statement
from gitmem.actions.saving.conversation import Caller
from gitmem.answers import Answer, passed_over
from gitmem.assistants.known import running_tool
from gitmem.cli import output
from gitmem.cli.opening import current_workspace
from gitmem.cli.options import (
    DRY_RUN,
    YES,
    argument,
    confirmed,
    flag,
    option,
    path_in,
)
from gitmem.cli.output import FAINT, GOOD, ID
from gitmem.documents.authors import name_in
from gitmem.documents.kinds import MEMORY
from gitmem.documents.memory.memory import Category, Relate
from gitmem.errors import InvalidInput
from gitmem.text.calendar import spoken
from gitmem.text.counting import counted
from gitmem.workspace import Workspace

_INDENT = "  "
_SCOPES = f"{', '.join(SCOPES)}, or a space."
Texts = list[str] | None
_KIND = option("--kind -k KIND", "Only of this kind; repeatable.", values=Category)
_TAG = option("--tag -t TAG", "Only with this tag; may be repeated.")
_FILE = option("--file -f PATH", "Only about this file; may be repeated.")
_SCOPE = option("--scope SCOPE", f"Only there: {_SCOPES}", values=SCOPES)
_PAST = flag("--past", "Also superseded, rejected and expired ones.")


def remember(  # noqa: PLR0913 - each is an option of the command line
    text: list[str] | None = argument("TEXT", "A statement that stands alone."),
    *,
    kind: str | None = option(
        "--kind -k KIND", "decision, convention, fix, fact, ...", values=Category
    ),
    key: str | None = option("--key NAME", "A name; what is said of it next replaces."),
    why: str | None = option("--why TEXT", "The reason."),
    facts: Texts = option("--fact TEXT", "A detail; may be repeated."),
    tags: Texts = option("--tag -t TAG", "May be repeated."),
    files: Texts = option("--file -f PATH", "A file that it is about; repeatable."),
    scope: str | None = option("--scope SCOPE", _SCOPES, values=SCOPES),
    expires: str | None = option("--expires DATE", "When it does not hold any more."),
    pinned: bool | None = option("--pin/--no-pin", "Always tell it, never replace it."),
    importance: float | None = option("--importance 0..1", "How much it matters."),
    confidence: float | None = option("--confidence 0..1", "How sure it is."),
    replaces: str | None = option("--replaces MEMORY", "The memory that it is about."),
    relation: str | None = option(
        "--as HOW", f"{', '.join(Relate)}: what it does to that.", values=Relate
    ),
) -> None:
    """Remember a statement.

    For example: ocm remember "Tests need Postgres 16" --kind constraint --key db
    """
    arguments = dict(locals())
    workspace = current_workspace()
    paths = [path_in(workspace, path) for path in files or ()]
    arguments |= {"text": " ".join(text or ()), "files": paths or None}
    if scope == SESSION:
        saved = remember_in_conversation(workspace, arguments, _caller(workspace))
    else:
        statement = parse_statement(arguments, workspace.now())
        author = workspace.store.author(workspace.now()).who
        saved = remembered(workspace, statement, f"person:{author}", by_meaning=True)
    output.say_json(memory_answers.of_kept(saved))
    by = " by" if saved.action is Action.SUPERSEDED else ""
    output.say((f"{saved.action}{by} ", GOOD), (saved.memory.id, ID))
    for similar in saved.similar:
        output.say(
            f"{_INDENT}like ", (similar.memory.id, ID), f" ({similar.memory.kind})"
        )
        output.say(_INDENT * 2, output.one_line(similar.memory.title), hang=4)
        relation = similar.proposal or "support, merge, supersede or contradict?"
        options = f"--replaces {similar.memory.id} --as {relation}"
        output.say((f"{_INDENT * 2}{options}", FAINT), hang=4)
    if left_out := passed_over(files=saved.unknown_files):
        output.note(left_out)


def recall(  # noqa: PLR0913 - each is an option of the command line
    query: list[str] | None = argument("QUERY", "Words; without them the newest."),
    *,
    kind: Texts = _KIND,
    tag: Texts = _TAG,
    file: Texts = _FILE,
    scope: str | None = _SCOPE,
    limit: int = option("--limit -n N", "How many at most.", default=10),
    past: bool = _PAST,
    explain: bool = flag("--explain", "Say how well each of them answers, too."),
) -> None:
    """Recall memories that answer a question.

    For example: ocm recall which database do the tests need
    """
    workspace = current_workspace()
    files = [path_in(workspace, path) for path in file or ()]
    recall_query = RecallQuery(
        " ".join(query or ()), kind or (), tag or (), files, scope, limit, past
    )
    recollection = recall_all(workspace, recall_query, _caller(workspace))
    output.say_json(memory_answers.of_recollection(recollection))
    if not recollection.memories:
        output.note("No memory matches.")
        output.hint("`ocm search` looks in all that sessions did and said.")
    is_short = output.is_terminal() and len(recollection.memories) > 1
    for recalled in recollection.memories:
        grounds = _grounds(recalled) if explain else ()
        _say_recalled(recalled, workspace, grounds, is_short=is_short)
    if len(recollection.memories) == limit:
        output.hint("There may be more: --limit says how many are wanted.")
    if left_out := passed_over(spaces=recollection.unreachable):
        output.note(left_out)


def memories(  # noqa: PLR0913 - each is an option of the command line
    words: list[str] | None = argument("WORDS", "Only memories that have them all."),
    *,
    kind: Texts = _KIND,
    tag: Texts = _TAG,
    file: Texts = _FILE,
    scope: str | None = _SCOPE,
    past: bool = _PAST,
    limit: int = option("--limit -n N", "How many on a page.", default=10),
    page: int = option("--page N", "Which page.", default=1, min=1),
    stats: bool = flag("--stats", "Only count them."),
    stale: int | None = option(
        "--stale DAYS",
        "Forget those that were not said or recalled for so long.",
        min=0,
        max=36_500,
    ),
    duplicates: bool = flag("--duplicates", "Join those that are nearly the same."),
    dry_run: bool = DRY_RUN,
    yes: bool = YES,
) -> None:
    """List and count memories; clean them up.

    What is found is shown before anything is done. Recalls are counted on this machine.
    """
    workspace = current_workspace()
    if [stats, stale is not None, duplicates].count(True) > 1:
        raise InvalidInput("--stats, --stale and --duplicates cannot be combined.")
    if stale is not None:
        proposals: list[Any] = clean_up.stale(workspace, stale)
        rows = [*map(memory_answers.of_stale, proposals)]
        question = f"Forget {counted(len(proposals), 'memory')}?"
    elif duplicates:
        proposals = clean_up.duplicates(workspace)
        rows = [*map(memory_answers.of_duplicate, proposals)]
        proposals = [pair for pair in proposals if not pair.is_opposite]
        question = f"Join {counted(len(proposals), 'pair')}?"
    else:
        files = [path_in(workspace, path) for path in file or ()]
        recall_query = RecallQuery(
            " ".join(words or ()), kind or (), tag or (), files, scope, limit, past
        )
        listing = list_memories(
            workspace, recall_query, skip=(page - 1) * recall_query.limit
        )
        _say_listed(listing, page, is_counted_only=stats)
        return
    _say_clean_up(rows)
    if proposals and confirmed(question, "memories", yes=yes, dry_run=dry_run):
        if stale is not None:
            forget(workspace, [proposal.memory for proposal in proposals], kind=MEMORY)
        else:
            _join(workspace, proposals)
    output.say_json({"found": rows, "dry_run": dry_run})


def _join(workspace: Workspace, pairs: Iterable[clean_up.Duplicate]) -> None:
    author = workspace.store.author(workspace.now()).who
    for pair in pairs:
        clean_up.replace_older(workspace, pair, f"person:{author}")


def _say_listed(listing: dict[str, Any], page: int, *, is_counted_only: bool) -> None:
    output.say_json(listing)
    for name in ("kinds", "scopes", "statuses", "tags"):
        counts = (f"{number:,} {value}" for value, number in listing[name].items())
        output.say((f"{name}: ", FAINT), ", ".join(counts) or "none")
    for memory in () if is_counted_only else listing["memories"]:
        facts = [
            memory.get(name) for name in ("kind", "key", "scope", "date", "status")
        ]
        facts += [f"by {memory['author']}"] if "author" in memory else []
        facts_shown = ", ".join(fact for fact in facts if fact and fact != "active")
        output.say_session(memory["memory_id"], [(facts_shown, FAINT)], memory["text"])
    rest = listing["total"] - listing.get("next", listing["total"])
    if rest and not is_counted_only:
        output.note(f"{rest:,} more: add `--page {page + 1}`.")
    if "notice" in listing:
        output.note(listing["notice"])


def _say_clean_up(rows: Collection[Answer]) -> None:
    for row in rows:
        output.say((str(row["memory_id"]), ID), "  ", str(row["text"]), hang=4)
        rest = {k: v for k, v in row.items() if k not in ("memory_id", "text")}
        for name, value in rest.items():
            output.say(_INDENT, (f"{name}: {value}", FAINT), hang=4)
    if not rows:
        output.note("There are none.")


def import_notes(
    workspace: Workspace,
    notes_found: Sequence[notes.Note],
    dry_run: bool,
    yes: bool,
) -> None:
    """Show what notes would become, and keep the new ones after a yes."""
    new = sum(note.fate is notes.Fate.NEW for note in notes_found)
    for note in notes_found:
        output.say((f"{note.fate}  ", FAINT), output.one_line(note.text), hang=4)
    question = f"Remember {counted(new, 'note')}?"
    if new and confirmed(question, "import notes", yes=yes, dry_run=dry_run):
        notes.keep(workspace, notes_found)
    rows = [memory_answers.of_note(note) for note in notes_found]
    output.say_json({"notes": rows, "dry_run": dry_run})


def _caller(workspace: Workspace) -> Caller:
    return Caller(running_tool(workspace.environment.variables))


def _grounds(recalled: RecalledMemory) -> Iterator[str]:
    yield f"{recalled.match} match"
    yield f"score {recalled.score:.2f}"
    if recalled.cosine:
        yield f"by meaning, {recalled.cosine:.2f}"


def _say_recalled(
    recalled: RecalledMemory,
    workspace: Workspace,
    grounds: Iterable[str],
    *,
    is_short: bool,
) -> None:
    memory, lines = recalled.memory, memory_answers.shown_text(recalled).splitlines()
    facts = ", ".join([_facts(recalled, workspace), *grounds])
    output.say((memory.id, ID), (f"  {facts}", FAINT), hang=4)
    for line in lines[:1] if is_short else lines:
        output.say(_INDENT, output.one_line(line), hang=2)
    if recalled.correction:
        output.say(_INDENT, (corrected_mark(recalled.correction), FAINT), hang=2)
    if recalled.is_own and memory.why:
        output.say(_INDENT, (f"why: {output.one_line(memory.why)}", FAINT), hang=2)


def _facts(recalled: RecalledMemory, workspace: Workspace) -> str:
    memory, now = recalled.memory, workspace.now()
    facts = [recalled.kind, memory.key, recalled.scope, spoken(memory.updated_at, now)]
    if memory.pinned:
        facts.append("pinned")
    if (standing := memory.standing_at(now)) != "active":
        facts.append(standing)
    if not recalled.is_own:
        facts.append(f"by {name_in(memory.author)}")
    if recalled.changed_files:
        facts.append(f"{recalled.changed_files} of its files changed since")
    if recalled.rival:
        facts.append(f"{recalled.rival} has the same key and counts")
    return ", ".join(filter(None, facts))
