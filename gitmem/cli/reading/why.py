"""`ocm why` and `ocm notes`: from code back to the session that wrote it."""

from collections.abc import Iterator
from datetime import datetime
from itertools import islice
from pathlib import Path

from gitmem.actions.linking import links
from gitmem.actions.linking import why as action
from gitmem.actions.linking.why import Origin, SourceSession, origin_answer
from gitmem.actions.reviewing.branch_story import branch_story, range_named
from gitmem.actions.reviewing.page import BREAK, markdown_page, story_answer
from gitmem.answers import indexed_so_far
from gitmem.cli import output
from gitmem.cli.opening import current_workspace
from gitmem.cli.options import argument, flag
from gitmem.cli.output import FAINT, GOOD, ID, STATUS, Row
from gitmem.cli.pager import page
from gitmem.cli.progress import indexing
from gitmem.documents.authors import name_in
from gitmem.errors import InvalidInput
from gitmem.git.values import ABBREVIATED
from gitmem.store.trees.notes import REF
from gitmem.text.calendar import spoken
from gitmem.text.counting import counted
from gitmem.workspace import Workspace

_INDENT = "   "
_MOST_CLAIMS = 5


def why(
    subject: str = argument(
        "WHAT",
        "A file, PATH:LINE, PATH:FIRST-LAST, a folder, a commit, or BASE..HEAD.",
        default=...,
    ),
    markdown: bool = flag("--markdown", "Print the page as it is posted."),
    full: bool = flag("--full", "Print all of that page, however long."),
) -> None:
    """Say which sessions a file, commit or branch comes from.

    For example: ocm why src/charge.py:120-135, or ocm why main..HEAD
    """
    workspace = current_workspace()
    if commit_range := range_named(workspace, subject, Path()):
        with indexing() as progress:
            story = branch_story(workspace, commit_range, progress)
        output.say_json(story_answer(story))
        _say_page(workspace, markdown_page(story, is_full=full), is_raw=markdown)
        return
    if markdown or full:
        raise InvalidInput("--markdown and --full are for a folder and BASE..HEAD.")
    with indexing() as progress:
        origin = action.why(workspace, subject, Path(), progress)
    if so_far := indexed_so_far(workspace.open_index().extent):
        output.meanwhile(so_far)
    output.say_json(origin_answer(origin))
    for number, source in enumerate(origin.sources):
        if number:
            output.say()
        _say(source, origin, workspace.now())
    sentences = [*_of_no_session(origin)]
    if sentences and origin.sources:
        output.say()
    for sentence in sentences:
        output.say(sentence)


def _say_page(workspace: Workspace, text: str, *, is_raw: bool) -> None:
    if is_raw or not output.is_terminal():
        output.say_raw(text)
        return
    from rich.markdown import Markdown

    from gitmem.cli.reading.drawing import rendered

    drawn_page = rendered(Markdown(text.replace(BREAK, ""), hyperlinks=False))
    page(drawn_page, workspace.root, workspace.environment.variables)


def _say(source: SourceSession, origin: Origin, now: datetime) -> None:
    session = source.entry.session
    who = "" if source.entry.is_own else name_in(session.author)
    facts: Row = (
        (f"by {who}, " if who else "", FAINT),
        (f"{spoken(session.started_at, now)}, ", FAINT),
        (session.status, STATUS[session.status]),
    )
    output.say_session(session.session_id, facts, session.goal)
    output.say_cut((_INDENT + _share(source, origin), FAINT))
    for decision in source.decisions:
        line = f"{_INDENT}decided: {output.one_line(decision)}"
        remark = output.one_line(source.remarks.get(decision, ""))
        output.say(line, (f" ({remark})" if remark else "", FAINT), hang=len(_INDENT))
    if source.shared_with:
        output.say((f"{_INDENT}Also listed by {', '.join(source.shared_with)}", FAINT))


def _share(source: SourceSession, origin: Origin) -> str:
    """Return how much of what was asked about is this session's, and how so."""
    commits = counted(len(source.commits), "commit")
    if len(source.commits) == 1:
        commits = _commit_name(source.commits[0].sha, source.commits[0].subject)
    if source.evidence:
        commits = (
            f"{commits} ({source.evidence})" if source.commits else source.evidence
        )
    if not source.lines:
        return commits
    return f"{source.lines:,} of {counted(origin.blame.lines, 'line')}: {commits}"


def _of_no_session(origin: Origin) -> Iterator[str]:
    blame = origin.blame
    if origin.unlinked:
        yield _without_session(origin)
        for claim, lines in islice(origin.claims.items(), _MOST_CLAIMS):
            share = f"{counted(lines, 'line')}: " if origin.path else ""
            yield f"{_INDENT}{share}{claim.source}: {claim.text}"
    if blame.uncommitted:
        yield f"{counted(blame.uncommitted, 'line')} not committed yet."
    if blame.beyond:
        yield f"{counted(blame.beyond, 'line')} older than this shallow clone."
    if origin.path and not blame.lines:
        is_gone = bool(origin.sources)
        yield "Git knows no lines of it here." if is_gone else "The file is empty."


def _without_session(origin: Origin) -> str:
    if origin.commit and not origin.sources:
        name = _commit_name(origin.commit.sha, f"({origin.commit.subject})")
        return f"No session is known for commit {name}."
    lines = counted(sum(origin.unlinked.values()), "line")
    commits = counted(len(origin.unlinked), "commit")
    if origin.sources:
        return f"No session is known for {lines} from {commits}."
    return f"No session is known for {origin.path}: {lines} from {commits}."


def _commit_name(sha: str, subject: str) -> str:
    return f"{sha[:ABBREVIATED]} {output.one_line(subject)}".rstrip()


def notes(
    state: str | None = argument("on|off", "Without it: whether they are on."),
) -> None:
    """Keep a git note with its session on each commit, or not.

    `git log --notes=ocm` shows them: the session, its assistant and its goal. They are
    off unless they are turned on here.
    """
    actions = {
        None: links.notes,
        "on": links.turn_on,
        "off": links.turn_off,
    }
    if state not in actions:
        raise InvalidInput(f"{state!r} is neither on nor off.")
    now = actions[state](current_workspace())
    answer = {"ref": REF, "notes": now.count, "written": now.written_count}
    output.say_json({"on": now.is_on, **answer})
    count = counted(now.count, "note")
    if now.is_on:
        written_now = (
            f", {now.written_count:,} of them written now" if now.written_count else ""
        )
        output.say(("on   ", GOOD), f"{REF} has {count}{written_now}.")
        output.say("They are shown by ", ("git log --notes=ocm", ID))
    elif now.count:
        output.say(("off  ", FAINT), f"{REF} has {count}, which stay there.")
        output.say("Delete that ref with git, and they are gone.")
    else:
        output.say(("off  ", FAINT), "No commit has a note.")
