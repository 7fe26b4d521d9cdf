"""`ocm why BASE..HEAD`: the story of a branch."""

from gitmem.actions.reviewing.branch_story import BranchStory, StorySession
from gitmem.actions.reviewing.page import (
    ABBREVIATED,
    FULL,
    PageDetail,
    described,
    markdown_page,
    rows,
    share,
    shown_sessions,
    story_answer,
    summary,
)
from gitmem.cli import output
from gitmem.cli.output import FAINT
from gitmem.documents.authors import name_in
from gitmem.text.counting import counted, shortlist

_INDENT = "   "
_SHORT = PageDetail(sessions=20, items=5, length=500)


def say_story(story: BranchStory, *, is_markdown: bool, is_full: bool) -> None:
    output.say_json(story_answer(story))
    if is_markdown:
        output.say_raw(markdown_page(story, is_full=is_full))
        return
    detail = FULL if is_full else _SHORT
    output.say(summary(story))
    for session in shown_sessions(story, detail):
        output.say()
        _say_session(session, story, detail)
    hidden = len(story.sessions) - detail.sessions
    if hidden > 0:
        output.say(f"\n{counted(hidden, 'more session')}: --full shows all.")
    if story.unlinked:
        _say_unlinked(story, detail)


def _say_session(source: StorySession, story: BranchStory, detail: PageDetail) -> None:
    session = source.entry.session
    who = "" if source.entry.is_own else f"by {name_in(session.author)}, "
    commits = counted(len(source.commits), "commit")
    files = counted(len(source.paths), "file")
    share_of_lines = share(source.lines, story)
    evidence = f" ({shortlist(source.evidence, 1)})" if source.evidence else ""
    facts = f"{who}{session.status}, {share_of_lines}, {commits}, {files}{evidence}"
    output.say_session(session.session_id, ((facts, FAINT),), session.goal)
    for label, text in rows(session, detail):
        output.say(f"{_INDENT}{label}: {output.one_line(text)}", hang=len(_INDENT))


def _say_unlinked(story: BranchStory, detail: PageDetail) -> None:
    output.say(f"\n{counted(len(story.unlinked), 'commit')} without a session:")
    for commit in story.unlinked[: 4 * detail.items]:
        line = output.one_line(described(commit, story.claims))
        output.say_cut(f"{_INDENT}{commit.oid[:ABBREVIATED]} {line}")
    hidden = len(story.unlinked) - 4 * detail.items
    if hidden > 0:
        output.say(f"{_INDENT}and {hidden:,} more")
