"""Scenarios of conversations that work elsewhere than where they began."""

from pathlib import Path

from clients.play import Play, facts_of
from clients.scripted_model import Answer, say

LEAVING = {"claude", "codex"}
"""Clients that write outside of the folder in which they began, without a question."""
FIRST, SECOND, THIRD = "Write the first", "Then the second one", "Now a third file"


def linked_work_tree(play: Play) -> None:
    """It adds a work tree beside this one, writes and commits there, and writes on."""
    shell, side = play.stage.client.shell, play.stage.folder / "side"
    play.tell(
        shell(f"git worktree add --quiet -b side {side}"),
        _write(play, side / "one.txt"),
        shell(f"git -C {side} add one.txt && git -C {side} commit -qm 'Write one'"),
        _write(play, side / "two.txt"),
        shell(f"printf three >{side}/three.txt"),
        say("Written."),
    )
    play.prompt(FIRST)
    files = ["one.txt", "three.txt", "two.txt"]
    about = {"branch": "side", "commits": ["Write one"], "status": "closed"}
    play.expect_session(FIRST, files=files, **about)


def begun_in_linked_work_tree(play: Play) -> None:
    """It begins in a work tree that was there, and writes in both."""
    side = play.stage.folder / "side"
    play.stage.do("git", "worktree", "add", "--quiet", "-b", "side", side)
    play.tell(
        _write(play, play.file("main.txt")),
        _write(play, side / "one.txt"),
        play.stage.client.shell(
            f"cd {side} && git add one.txt && git commit -qm 'One'"
        ),
        say("Written."),
    )
    play.prompt(FIRST, folder=side)
    about = {"branch": "side", "commits": ["One"], "status": "closed"}
    play.expect_session(FIRST, files=["main.txt", "one.txt"], **about)


def repositories_inside(play: Play) -> None:
    """It writes here, in a submodule, and in a repository inside of this one."""
    library = _repository(play, play.stage.folder / "library")
    allowed = ("-c", "protocol.file.allow=always")
    play.stage.do("git", *allowed, "submodule", "--quiet", "add", library, "library")
    play.stage.do("git", "commit", "--quiet", "--message=Add the library")
    submodule = play.file("library")
    nested = _repository(play, play.file("vendor"))
    _identify(play, submodule)
    for place in (submodule, nested):
        play.stage.do("git", "-C", place, "config", "ocm.everywhere", "true")
    _work(play, [play.stage.project, submodule, nested], play.stage.project)
    _expect(play, play.stage.project, FIRST, "one.txt")
    _expect(play, submodule, SECOND, "two.txt")
    _expect(play, nested, THIRD, "three.txt")


def folder_above(play: Play) -> None:
    """It begins above three repositories, of which two agreed, and writes in all."""
    above = play.stage.folder / "work"
    places = [_repository(play, above / name) for name in ("a", "b", "c")]
    for place in places[:2]:
        play.stage.run(
            *("ocm", "init", "--user", "--assistant", play.stage.client.assistant),
            folder=place,
        )
    _work(play, places, above)
    _expect(play, places[0], FIRST, "one.txt")
    _expect(play, places[1], SECOND, "two.txt")
    refs = ("git", "-C", places[2], "for-each-ref", "refs/ocm")
    play.compare("who did not agree has no memory", play.stage.run(*refs), "")


def _work(play: Play, places: list[Path], folder: Path) -> None:
    """In each of the places a prompt, a new file and its commit."""
    names = {FIRST: "one.txt", SECOND: "two.txt", THIRD: "three.txt"}
    is_codex, conversation = play.stage.client.name == "codex", ""
    options = ["--skip-git-repo-check"] if is_codex else []
    for place, (prompt, name) in zip(places, names.items(), strict=True):
        git = f"git -C {place}"
        commit = f"{git} add {name} && {git} commit --quiet -m 'Add {name}'"
        play.tell(
            _write(play, place / name),
            play.stage.client.shell(commit),
            say(f"{name} is written."),
        )
        conversation = play.prompt(prompt, *options, folder=folder, resume=conversation)


def _expect(play: Play, place: Path, goal: str, name: str) -> None:
    """That the session there has this turn; it touched two other repositories."""
    is_home = place == play.stage.project
    facts = {"goal": goal, "prompts": [FIRST, SECOND, THIRD] if is_home else []}
    done = {"files": [name], "commits": [f"Add {name}"]}
    wanted = [{**facts, **done, "status": "closed", "others": 2}]

    def now() -> list[dict[str, object]]:
        sessions = map(facts_of, play.stage.sessions(place))
        return [{key: session[key] for key in wanted[0]} for session in sessions]

    play.expect(f"the session in {place.name}", now, wanted)


def _write(play: Play, path: Path) -> Answer:
    return play.stage.client.write(str(path), f"{path.name}\n")


def _repository(play: Play, place: Path) -> Path:
    place.mkdir(parents=True)
    play.stage.do("git", "-C", place, "init", "--quiet", "--initial-branch=main")
    _identify(play, place)
    begin = ("commit", "--quiet", "--allow-empty", "--message=Begin")
    play.stage.do("git", "-C", place, *begin)
    return place


def _identify(play: Play, place: Path) -> None:
    play.stage.do("git", "-C", place, "config", "user.name", "A Person")
    play.stage.do("git", "-C", place, "config", "user.email", "person@example.org")


ELSEWHERE = {
    scenario.__name__: scenario
    for scenario in (
        linked_work_tree,
        begun_in_linked_work_tree,
        repositories_inside,
        folder_above,
    )
}
