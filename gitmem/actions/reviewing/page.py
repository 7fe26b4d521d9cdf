"""The story of a branch on a page: in Markdown for a forge, and as `--json` has it.

Whoever may push writes what stands here, and a bot posts it. So no text of a session or
commit may mention a person, close an issue, load a picture, or be HTML.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from types import MappingProxyType

from gitmem.actions.linking.claims import CommitClaim, claim_answer
from gitmem.actions.reading.session_answers import session_answer
from gitmem.actions.reviewing.branch_story import BranchStory, StorySession
from gitmem.answers import Answer, commit_answer
from gitmem.documents.authors import name_in
from gitmem.frozen import frozen
from gitmem.git.ranges import MOST_COMMITS
from gitmem.git.values import ABBREVIATED, Commit, Oid, RangeCommit
from gitmem.redaction.redact import redact
from gitmem.text.control_characters import harmless
from gitmem.text.counting import counted, shortlist
from gitmem.text.markdown import encode_code, encode_inline, one_line
from gitmem.text.patterns import pattern

MARKER = "<!-- ocm-review -->"
"""The first line of a page, by which a bot knows its own comment."""
MOST_CHARACTERS = 6000
_LABELS = {
    "work_completed": "done",
    "work_summary": "noted",
    "decisions": "decided",
    "tried": "given up",
    "constraints": "constraint",
    "blockers": "blocked",
    "work_pending": "left",
    "questions": "open question",
}
"""Words for the lists of a session that a reviewer reads, in their order."""
_OBSERVED_LABELS = {
    "prompts": "asked",
    "answers": "answered",
    "last_answer": "ended with",
}
"""Words for what stands in for them where nobody wrote any."""

_LIVE = pattern(r"@(?=\w)|#(?=\d)|\](?=[(\[])")
"""Beginnings of what a forge makes a mention or a link of."""
BREAK = "\N{ZERO WIDTH SPACE}"
"""Stands behind each of them, and is not seen."""


@frozen
class PageDetail:
    sessions: int
    """Most sessions that are shown."""
    items: int
    """Most items of a list that are shown."""
    length: int
    """Most characters of an item."""


_FULL = PageDetail(sessions=1000, items=1000, length=2000)
USUAL = PageDetail(sessions=30, items=8, length=300)
_DETAILS = (
    USUAL,
    PageDetail(sessions=30, items=4, length=300),
    PageDetail(sessions=20, items=3, length=200),
    PageDetail(sessions=10, items=2, length=160),
    PageDetail(sessions=7, items=2, length=120),
    PageDetail(sessions=5, items=2, length=120),
    PageDetail(sessions=4, items=2, length=100),
    PageDetail(sessions=4, items=1, length=100),
    PageDetail(sessions=4, items=0, length=60),
)
"""Ways to tell less and less until a page is short enough."""


def _shown_sessions(story: BranchStory, detail: PageDetail) -> list[StorySession]:
    """Return the sessions with the most new lines, in the order of their commits."""
    by_lines = sorted(story.sessions, key=lambda source: -source.lines)
    largest_ids = {source.entry.session.id for source in by_lines[: detail.sessions]}
    return [
        source for source in story.sessions if source.entry.session.id in largest_ids
    ]


def session_rows(source: StorySession, detail: PageDetail) -> Iterator[tuple[str, str]]:
    """Yield what a session tells a reviewer, each text with a word for it.

    Of prompts the first are told, of other lists the newest.
    """
    session = source.entry.session
    is_told = any(getattr(session, name) for name in _LABELS)
    for name, label in (_LABELS if is_told else _OBSERVED_LABELS).items():
        value = getattr(session, name)
        texts = [value] if isinstance(value, str) else value
        items = [text for text in texts if text not in ("", session.goal)]
        hidden = len(items) - detail.items
        first = 0 if name == "prompts" else max(hidden, 0)
        for item in items[first : first + detail.items]:
            remark = source.remarks.get(item)
            behind = f" ({remark})" if remark else ""
            yield label, one_line(item, detail.length) + behind
        if detail.items and hidden > 0:
            yield label, f"and {hidden:,} more"


def _summary(story: BranchStory) -> str:
    """Return one sentence: what is explained, and the share of each assistant."""
    if not story.commits:
        return "No commits are in this range."
    linked = len(story.commits) - len(story.unlinked)
    makers = [source for source in story.sessions if source.commits]
    commits = counted(len(story.commits), "commit")
    if len(story.commits) == MOST_COMMITS:
        commits = f"the newest {commits}"
    explained = f"{counted(len(makers), 'session')} made {linked:,} of {commits}"
    shares = [
        f"{one_line(tool, 40) or 'no session'} {_share(lines, story)}"
        for tool, lines in story.lines_by_tool.items()
    ]
    if not story.lines:
        return f"{explained}."
    return f"{explained}. {counted(story.lines, 'new line')}: {', '.join(shares)}."


def _share(lines: int, story: BranchStory) -> str:
    """Return lines as a percentage of those that the branch adds."""
    percentage = 100 * lines / max(story.lines, 1)
    return "under 1 %" if 0 < percentage < 1 else f"{percentage:.0f} %"


def markdown_page(story: BranchStory, *, is_full: bool) -> str:
    """Return the page in Markdown, below MOST_CHARACTERS unless it `is_full`."""
    if is_full:
        return _page(story, _FULL)
    for detail in _DETAILS[:-1]:
        page = _page(story, detail)
        if len(page) < MOST_CHARACTERS:
            return page
    return _page(story, _DETAILS[-1])


def _page(story: BranchStory, detail: PageDetail) -> str:
    sources = _shown_sessions(story, detail)
    hidden = len(story.sessions) - len(sources)
    blocks = [
        MARKER,
        _title(story),
        _plain(_summary(story), 500),
        *chain.from_iterable(
            _session_blocks(session, story, detail) for session in sources
        ),
    ]
    if hidden:
        blocks.append(f"… and {counted(hidden, 'more session')}.")
    if story.unlinked:
        blocks += ["### No session", _commit_list(story.unlinked, detail, story.claims)]
    return "\n\n".join(blocks) + "\n"


def _title(story: BranchStory) -> str:
    folder = story.range.folder
    is_branch = story.range.base is not None
    subject = "this branch" if is_branch else _code(folder, 200) or "this repository"
    return f"## The sessions behind {subject}"


def _session_blocks(
    source: StorySession, story: BranchStory, detail: PageDetail
) -> Iterator[str]:
    session = source.entry.session
    yield f"### {_plain(session.goal or session.session_id, detail.length)}"
    facts = (
        _plain(session.tool, 40),
        _plain(name_in(session.author), 60),
        f"{session.started_at.day} {session.started_at:%B %Y}",
        f"{_share(source.lines, story)} of the new lines"
        if source.commits
        else "no commit on this branch",
        shortlist(source.evidence, 1) if source.evidence else "",
        _code(session.session_id, 128),
    )
    yield " · ".join(filter(None, facts))
    items = [
        f"- **{label.capitalize()}:** {_plain(text, 2 * detail.length + 200)}"
        for label, text in session_rows(source, detail)
    ]
    if items:
        yield "\n".join(items)
    if detail.items:
        yield _details(source, detail)


def _details(source: StorySession, detail: PageDetail) -> str:
    """Return commits and files of a session, which a click shows."""
    commits, paths = source.commits, source.paths
    head = f"{counted(len(commits), 'commit')}, {counted(len(paths), 'file')}"
    files = ", ".join(_code(path, detail.length) for path in paths[: 2 * detail.items])
    hidden = len(paths) - 2 * detail.items
    files += f" and {hidden:,} more" if hidden > 0 else ""
    blocks = (
        f"<details><summary>{head}</summary>",
        _commit_list(commits, detail),
        files,
        "</details>",
    )
    return "\n\n".join(filter(None, blocks))


def _commit_list(
    commits: Sequence[RangeCommit],
    detail: PageDetail,
    claims: Mapping[Oid, Sequence[CommitClaim]] = MappingProxyType({}),
) -> str:
    lines = [
        f"- {commit.oid[:ABBREVIATED]}"
        f" {_plain(_described(commit, claims), 100 + detail.length)}"
        for commit in commits[: 2 * detail.items]
    ]
    if hidden := len(commits) - len(lines):
        lines.append(f"- {counted(hidden, 'more commit')}")
    return "\n".join(lines)


def _described(commit: RangeCommit, claims: Mapping[Oid, Sequence[CommitClaim]]) -> str:
    """Return the subject of a commit, with what it claims in brackets."""
    texts = [f"{claim.source}: {claim.text}" for claim in claims.get(commit.oid, ())]
    return f"{_subject(commit)} ({'; '.join(texts)})" if texts else _subject(commit)


def _subject(commit: RangeCommit) -> str:
    return redact(commit.subject)


def _plain(text: str, length: int) -> str:
    """Return text of others on one line, of which a forge makes nothing but text."""
    return _LIVE.sub(
        lambda match: match[0] + BREAK, encode_inline(one_line(text, length))
    )


def _code(text: str, length: int) -> str:
    """Return text of others as a code span, or as it can stand without one."""
    encoded = encode_code(one_line(text, length))
    return encoded if encoded[:1] == "`" else _plain(text, length)


def story_answer(story: BranchStory) -> Answer:
    """Return the story as `--json` shows it."""
    return {
        "base": story.range.base,
        "head": story.range.head,
        "folder": story.range.folder or None,
        "lines": story.lines,
        "commits": len(story.commits),
        "lines_by_tool": {t: n for t, n in story.lines_by_tool.items() if t},
        "sessions": [_session_answer(session) for session in story.sessions],
        "without_session": {
            "lines": story.lines_by_tool.get("", 0),
            "commits": [
                {**commit, "claims": [*map(claim_answer, story.claims.get(oid, ()))]}
                for oid, commit in _commit_answers(story.unlinked).items()
            ],
        },
    }


def _session_answer(source: StorySession) -> Answer:
    session = source.entry.session
    lists = {name: [*map(harmless, getattr(session, name))] for name in _LABELS}
    return {
        **session_answer(source.entry),
        "lines": source.lines,
        "evidence": [*source.evidence],
        "commits": [*_commit_answers(source.commits).values()],
        "files": [*map(harmless, source.paths)],
        **lists,
        "remarks": {harmless(t): harmless(r) for t, r in source.remarks.items()},
    }


def _commit_answers(commits: Iterable[RangeCommit]) -> dict[Oid, Answer]:
    return {
        commit.oid: commit_answer(Commit(commit.oid, _subject(commit)))
        for commit in commits
    }
