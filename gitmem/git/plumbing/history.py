"""What git says of the user's own history: commits, and which files they changed."""

import re
from collections.abc import Iterable, Iterator

from gitmem.git.command import RefusedError
from gitmem.git.odb.objects import commit_parts
from gitmem.git.paths import askable
from gitmem.git.plumbing.process import RAW, Process, fields, of_commits, text
from gitmem.git.plumbing.refs import is_reftable
from gitmem.git.reflog import moves_in_file
from gitmem.git.repository import MOST_COMMITS
from gitmem.git.values import (
    CommitDetails,
    Dated,
    FileChange,
    Move,
    Oid,
    RawCommit,
    Signature,
)
from gitmem.text.calendar import moment_at
from gitmem.text.patterns import pattern

_BEGINNING = pattern(r"[0-9a-f]{4,64}")
_COMMITTER = re.compile(rb"committer (.*?) ?<(.*)> (-?\d+) ([+-])(\d\d)(\d\d)")


def commit_details(git: Process, commit: Oid) -> CommitDetails | None:
    """See Repository.commit_details."""
    found = raw_commit(git, commit)
    return _details(git, [found])[0] if found else None


def full_name(git: Process, beginning: str) -> Oid | None:
    """See Repository.full_name."""
    if not _BEGINNING.fullmatch(beginning):
        return None
    names = _names(git, "rev-parse", f"--disambiguate={beginning}")
    is_one = len(names) == 1 and raw_commit(git, names[0])
    return names[0] if is_one else None


def commits_between(git: Process, old: Oid | None, new: Oid) -> list[CommitDetails]:
    """See Repository.commits_between."""
    require_commit(git, new)
    if old and not _leads_to(git, old, new):
        return []
    which = ("--first-parent", "--no-merges", "--topo-order", f"-n{MOST_COMMITS}")
    names = _names(git, "rev-list", *which, new, *([f"^{old}"] if old else []), "--")
    return _details(git, [require_commit(git, name) for name in names])


def merge_base(git: Process, one: Oid, other: Oid) -> Oid | None:
    """See Repository.merge_base."""
    for each in (one, other):
        require_commit(git, each)
    found = _unless_none(git, "merge-base", one, other)
    return found.decode().strip() if found else None


def ancestry(git: Process, commit: Oid, known: Oid | None) -> Iterator[RawCommit]:
    """See Repository.ancestry."""
    require_commit(git, commit)
    which = [commit, *([f"^{known}"] if known else [])]
    for name in _names(git, "rev-list", "--topo-order", "--reverse", *which, "--"):
        yield require_commit(git, name)


def first_parents(git: Process, commit: Oid, most: int) -> list[Dated]:
    """See Repository.first_parents."""
    if raw_commit(git, commit) is None:
        return []
    which = ("--first-parent", "--timestamp", f"-n{most}")
    lines = git.output("rev-list", *which, commit, "--").decode().splitlines()
    dated = (line.split() for line in lines)
    return [Dated(oid, moment_at(int(at))) for at, oid in dated]


def moves(git: Process, name: str, most: int) -> list[Move] | None:
    """See Repository.moves."""
    if is_reftable(git):
        return _moves_in_table(git, name, most)
    folder = git.git_dir if name == "HEAD" else git.common_dir
    return moves_in_file(folder / "logs" / name, most)


def blobs(git: Process, commit: Oid, paths: Iterable[str]) -> dict[str, Oid]:
    """See Repository.blobs."""
    require_commit(git, commit)
    found: dict[str, Oid] = {}
    for some in askable(paths):
        output = git.output("ls-tree", "-z", "-t", "--full-tree", commit, "--", *some)
        for line in fields(output):
            entry, _, path = line.partition(b"\t")
            found[path.decode(errors="surrogateescape")] = entry.split()[-1].decode()
    return {path: found[path] for path in paths if path in found}


def raw_commit(git: Process, commit: Oid) -> RawCommit | None:
    """None when there is no commit of this full name."""
    found = git.stored(commit)
    is_it = found and found.kind == "commit" and found.oid == commit
    return RawCommit(found.oid, found.content) if found and is_it else None


def require_commit(git: Process, commit: Oid) -> RawCommit:
    """Raises ValueError when there is no commit of this full name."""
    found = raw_commit(git, commit)
    if found is None:
        raise ValueError("there is no such commit")
    return found


def _details(git: Process, commits: list[RawCommit]) -> list[CommitDetails]:
    names = "".join(f"{commit.oid}\n" for commit in commits).encode()
    command = ("diff-tree", "--stdin", "--root", "-m", "--always", *RAW)
    files = of_commits(git.output(*command, given=names))
    return [_with_files(commit, files) for commit in commits]


def _with_files(commit: RawCommit, files: dict[Oid, list[FileChange]]) -> CommitDetails:
    parts = commit_parts(commit.content)
    return CommitDetails(
        oid=commit.oid,
        subject=text(parts.message.lstrip(b"\n").partition(b"\n")[0]),
        committer=_committer(parts.header),
        files=tuple(files[commit.oid]),
    )


def _committer(header: Iterable[bytes]) -> Signature:
    """Raises ValueError for what says nothing of who and when."""
    told = filter(None, map(_COMMITTER.fullmatch, header))
    by = next(told, None)
    if by is None:
        raise ValueError("it does not say who committed it")
    minutes = int(by[5]) * 60 + int(by[6])
    when = moment_at(int(by[3]), -minutes if by[4] == b"-" else minutes)
    return Signature(text(by[1]), text(by[2]), when)


def _moves_in_table(git: Process, name: str, most: int) -> list[Move] | None:
    """Git tells the newest first, and of each where it led to.

    Where HEAD has no reflog it would tell of that of the branch, with what was brought.
    """
    if _unless_none(git, "reflog", "exists", name) is None:
        return None
    which = (f"-n{most}", "--no-show-signature", "--format=%H %gs", "-z")
    try:
        told = fields(git.output("log", "--walk-reflogs", *which, name, "--"))
    except RefusedError:  # there is no commit yet
        return None
    moves: list[Move] = []
    for new, _, reason in (text(each).partition(" ") for each in reversed(told)):
        old = moves[-1].new if moves else "0" * len(new)
        moves.append(Move(old, new, reason))
    return moves or None


def _leads_to(git: Process, old: Oid, new: Oid) -> bool:
    """Whether `new` descends from `old`, which need not be there."""
    if raw_commit(git, old) is None:
        return False
    return _unless_none(git, "merge-base", "--is-ancestor", old, new) is not None


def _names(git: Process, *arguments: str) -> list[Oid]:
    return git.output(*arguments).decode().split()


def _unless_none(git: Process, *arguments: str) -> bytes | None:
    """What a command prints; None where it says no."""
    try:
        return git.output(*arguments)
    except RefusedError as refused:
        if refused.status == 1:
            return None
        raise
