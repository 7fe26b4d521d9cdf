"""Whose session `ocm why` names for lines of rewritten histories.

Sessions write lines that are one of a kind among common ones. Then the history is
rewritten: squashed, rebased, amended, or committed by a person.
"""

import random
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.commits import remembered
from support.harness import git
from support.workspaces import workspace_at

from gitmem.actions.linking.left_lines import note_left_lines
from gitmem.actions.linking.why import why
from gitmem.actions.saving.commits import record_commits
from gitmem.actions.saving.facts import new_patches

PERSON = "person"
COMMON = ("    return result", "}", "", "    if not value:", "        continue")
FILES = ("a.py", "b.py")
SAMPLE = 60


class History:
    """A repository in which sessions work on the branch `topic`."""

    def __init__(self, root: Path) -> None:
        self.root, self.random, self.authors = root, random.Random(7), dict[str, str]()
        self.git("init", "--quiet", "--initial-branch=main")
        self.git("config", "user.name", "Ada")
        self.git("config", "user.email", "ada@example.com")
        for path in FILES:
            self.write(path, self.new_lines(PERSON, 30))
        self.commit()
        self.git("checkout", "--quiet", "-b", "topic")
        self.workspace = workspace_at(root)

    def git(self, *arguments: str) -> str:
        return git(self.root, *arguments)

    def new_lines(self, author: str, count: int) -> list[str]:
        lines = []
        for _ in range(count):
            number = len(self.authors)
            line = f"    {author}_{number} = compute_{self.random.random()}(order)"
            if self.random.random() < 0.2:
                line = self.random.choice(COMMON)
            else:
                self.authors[line] = author
            lines.append(line)
        return lines

    def lines(self, path: str) -> list[str]:
        file = self.root / path
        return file.read_text().splitlines() if file.exists() else []

    def write(self, path: str, lines: list[str]) -> None:
        (self.root / path).write_text("\n".join(lines) + "\n")

    def edit(self, author: str, *paths: str) -> None:
        """Add two blocks to each file, and take some lines away."""
        for path in paths:
            lines = self.lines(path)
            for _ in range(2):
                place = self.random.randrange(len(lines) + 1)
                lines[place:place] = self.new_lines(author, 8)
            del lines[5:7]
            self.write(path, lines)

    def commit(self) -> str:
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message=work")
        return self.git("rev-parse", "HEAD")

    def commit_by_hand(self) -> None:
        record_commits(self.workspace, self.commit())

    def session(self, client: str, commits: int = 2) -> None:
        """A session edits the files, and commits that so many times."""
        paths, shas = (*FILES, f"{client}.py"), list[str]()
        for _ in range(commits):
            self.edit(client, *paths)
            shas.append(self.commit())
        if not commits:
            self.edit(client, *paths)
        patches = new_patches(self.workspace, None, shas)
        at = self.workspace.now()
        remembered(self.workspace, client, *shas, patches=patches, at=at)
        note_left_lines(self.workspace, client, paths, [sha[:12] for sha in shas])

    def keep_both_sides(self) -> None:
        """Solve conflicts by taking the marks away."""
        for path in self.git("diff", "--name-only", "--diff-filter=U").split():
            marks = ("<<<<<<<", "=======", ">>>>>>>")
            lines = self.lines(path)
            self.write(path, [line for line in lines if line[:7] not in marks])

    def leave_branch(self) -> None:
        """Delete the branch, and all that leads to its commits."""
        self.git("branch", "--quiet", "-D", "topic")
        self.git("reflog", "expire", "--expire=now", "--all")
        self.git("gc", "--quiet", "--prune=now")

    def score(self) -> Counter[str]:
        """Count for how many lines the right, a wrong and no session is named."""
        places = [
            (f"{path}:{number}", self.authors[line])
            for path in self.git("ls-files").splitlines()
            for number, line in enumerate(self.lines(path), 1)
            if line in self.authors
        ]
        results: Counter[str] = Counter()
        for place, author in self.random.sample(places, min(SAMPLE, len(places))):
            sources = why(self.workspace, place, self.root).sources
            names = {source.entry.session.client_session_id for source in sources}
            is_right = names == ({author} - {PERSON})
            wrong = "wrong" if names - {author} else "none"
            results["right" if is_right else wrong] += 1
        return results


def by_hand(history: History, kind: str) -> None:
    history.session("s-0", commits=0)
    if kind == "some":
        history.git("add", FILES[0])
        history.git("commit", "--quiet", "--message=some")
        record_commits(history.workspace, history.git("rev-parse", "HEAD"))
    if kind == "edited":
        lines = history.lines(FILES[0])
        history.write(FILES[0], lines[:9] + history.new_lines(PERSON, 4) + lines[9:])
    history.commit_by_hand()


def squashed(history: History, sessions: int, *, is_gone: bool) -> None:
    for number in range(sessions):
        history.session(f"s-{number}")
    history.git("checkout", "--quiet", "main")
    history.git("merge", "--squash", "--quiet", "topic")
    history.commit_by_hand()
    if is_gone:
        history.leave_branch()


def rebased(history: History, *, has_conflicts: bool) -> None:
    for client in ("s-0", "s-1"):
        history.session(client)
    history.git("checkout", "--quiet", "main")
    history.edit(PERSON, FILES[0] if has_conflicts else "other.py")
    history.commit()
    history.git("checkout", "--quiet", "topic")
    at_root = ["git", "-C", str(history.root), "-c", "core.editor=true"]
    subprocess.run([*at_root, "rebase", "--quiet", "main"], check=False)
    while (history.root / ".git" / "rebase-merge").exists():
        history.keep_both_sides()
        history.git("add", "--all")
        subprocess.run([*at_root, "rebase", "--continue"], check=False)
    history.git("checkout", "--quiet", "main")
    history.git("merge", "--quiet", "--ff-only", "topic")
    history.leave_branch()


def picked(history: History) -> None:
    history.session("s-0", commits=3)
    history.git("checkout", "--quiet", "main")
    history.edit(PERSON, "other.py")
    history.commit()
    history.git("cherry-pick", "main..topic")
    history.leave_branch()


def split(history: History) -> None:
    history.session("s-0", commits=1)
    history.git("reset", "--quiet", "HEAD~1")
    for path in (*FILES, "s-0.py"):
        history.git("add", path)
        history.git("commit", "--quiet", "--message=part")


def squashed_into(history: History) -> None:
    """A squash onto a main that went on in the same places; a person keeps both."""
    for client in ("s-0", "s-1"):
        history.session(client)
    history.git("checkout", "--quiet", "main")
    history.edit(PERSON, *FILES)
    history.commit()
    merge = ("git", "-C", str(history.root), "merge", "--squash", "--quiet", "topic")
    subprocess.run(merge, check=False, capture_output=True)
    history.keep_both_sides()
    history.commit_by_hand()
    history.leave_branch()


def squashed_and_moved(history: History) -> None:
    """A squash in which a person moves the files."""
    for client in ("s-0", "s-1"):
        history.session(client)
    history.git("checkout", "--quiet", "main")
    history.git("merge", "--squash", "--quiet", "topic")
    (history.root / "src").mkdir()
    for path in FILES:
        history.git("mv", path, f"src/{path}")
    history.commit_by_hand()
    history.leave_branch()


def contested(history: History, *, is_squash: bool) -> None:
    """Each session replaces every other line that the one before wrote."""
    history.session("s-0")
    for number in (1, 2):
        for path in FILES:
            lines = history.lines(path)
            for place, line in enumerate(lines):
                if history.authors.get(line) == f"s-{number - 1}" and place % 2:
                    lines[place] = history.new_lines(f"s-{number}", 1)[0]
            history.write(path, lines)
        history.session(f"s-{number}", commits=1)
    history.git("checkout", "--quiet", "main")
    if is_squash:
        history.git("merge", "--squash", "--quiet", "topic")
        history.commit_by_hand()
        history.leave_branch()
    else:
        history.git("merge", "--quiet", "--ff-only", "topic")


def formatted(history: History, *, is_squash: bool) -> None:
    """A formatter of a person indents what the sessions wrote, and sets it apart."""
    for client in ("s-0", "s-1"):
        history.session(client)
    if is_squash:
        history.git("checkout", "--quiet", "main")
        history.git("merge", "--squash", "--quiet", "topic")
    for path in FILES:
        lines = []
        for line in history.lines(path):
            lines.append(f"    {line}")
            if line in history.authors:
                history.authors[lines[-1]] = history.authors[line]
            if history.random.random() < 0.1:
                lines.append("")
        history.write(path, lines)
    history.commit_by_hand()
    if is_squash:
        history.leave_branch()


REWRITTEN: dict[str, Callable[[History], None]] = {
    **{f"by hand, {kind}": partial(by_hand, kind=kind) for kind in ("all", "some")},
    "by hand, edited": partial(by_hand, kind="edited"),
    **{f"squash of {n}": partial(squashed, sessions=n, is_gone=False) for n in (1, 8)},
    **{
        f"squash of {n}, branch gone": partial(squashed, sessions=n, is_gone=True)
        for n in (1, 3, 8)
    },
    "rebase": partial(rebased, has_conflicts=False),
    "rebase with conflicts": partial(rebased, has_conflicts=True),
    "cherry-pick": picked,
    "split": split,
    "squash with conflicts": squashed_into,
    "squash with moved files": squashed_and_moved,
    "same lines": partial(contested, is_squash=False),
    "same lines, squashed": partial(contested, is_squash=True),
    "formatted": partial(formatted, is_squash=False),
    "squashed and formatted": partial(formatted, is_squash=True),
}


def main() -> None:
    total: Counter[str] = Counter()
    for name, rewrite in REWRITTEN.items():
        if len(sys.argv) > 1 and sys.argv[1] not in name:
            continue
        with TemporaryDirectory() as folder:
            history = History(Path(folder))
            rewrite(history)
            results = history.score()
        print(f"{name:27} {dict(results)}", flush=True)
        total += results
    shares = {name: f"{count / total.total():.1%}" for name, count in total.items()}
    print(f"{'all':27} {shares}")


if __name__ == "__main__":
    main()
