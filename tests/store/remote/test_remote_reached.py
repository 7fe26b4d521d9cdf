"""How remotes are reached: over http and ssh, in time, and what is said where not."""

import os
import select
from collections.abc import Iterator
from pathlib import Path
from shlex import quote

import pytest
from support.git_versions import path_with_old_git
from support.harness import git, make_repository, script
from support.http_server import Service, serving
from support.rounds import every_row

from gitmem.errors import Unreachable
from gitmem.git.command import PATIENCE
from gitmem.git.libgit2.repository import Libgit2Repository, open_repository
from gitmem.git.opening import OLDEST_GIT
from gitmem.store.remote.fetching import fetch
from gitmem.store.remote.git_transport import OUR_REMOTE, refs_at
from gitmem.store.remote.pushing import push
from gitmem.store.remote.remote import Remote, TransportOptions
from gitmem.store.remote.watched_git import run

SESSIONS = "refs/ocm/sessions"
TRACKING = "refs/ocm/remotes/memory/sessions"
LINE = TransportOptions(20.0)


def beside(clone: Libgit2Repository, **variables: str) -> Libgit2Repository:
    """The same repository, opened where these are set as well."""
    return open_repository(clone.git_dir, variables={**os.environ, **variables})


def at(url: str | Path, ref: str = SESSIONS) -> Remote:
    return Remote("memory", str(url), {SESSIONS: ref})


@pytest.fixture
def bare(tmp_path: Path) -> Path:
    git(tmp_path, "init", "--quiet", "--bare", "memory.git")
    return tmp_path / "memory.git"


@pytest.fixture
def clone(tmp_path: Path) -> Libgit2Repository:
    return open_repository(make_repository(tmp_path / "clone", commits=2))


@pytest.fixture
def service(bare: Path) -> Iterator[Service]:
    with serving(bare.parent) as service:
        yield service


def tip(clone: Libgit2Repository) -> str:
    commit = clone.head().commit
    assert commit
    return commit


def test_memory_travels_over_http(clone: Libgit2Repository, service: Service) -> None:
    remote, moved = (at(service.url(f"{by}memory.git")) for by in ("", "moved/"))
    assert push(clone, moved, {SESSIONS: tip(clone)}, LINE)
    clone.delete_ref(TRACKING)
    fetch(clone, remote, LINE)
    assert clone.resolve_ref(TRACKING) == tip(clone)
    assert refs_at(clone, remote.location, [SESSIONS], LINE) == {SESSIONS: tip(clone)}


def test_git_gives_the_password(clone: Libgit2Repository, service: Service) -> None:
    service.user = "ada:open sesame"
    url = service.url("memory.git")
    with pytest.raises(
        Unreachable,
        match=r"memory wants a user.*(prompts disabled|unable to get password)",
    ):
        fetch(clone, at(url), LINE)
    heard: list[str] = []
    wrong = service.url("memory.git", "ada:shut-sesame")
    there = TransportOptions(20.0, notify=heard.append)
    with pytest.raises(Unreachable, match="Authentication failed") as raised:
        refs_at(clone, wrong, [SESSIONS], there)
    assert "shut-sesame" not in " ".join((raised.value.message, *heard))
    helper = (
        '!f() { test "$1" = get && echo username=ada && echo "password=$WORD"; }; f'
    )
    git(clone.common_dir, "config", "credential.helper", helper)
    fetch(beside(clone, WORD="open sesame"), at(url), LINE)


def test_no_window_asks_for_a_password(
    clone: Libgit2Repository, service: Service, tmp_path: Path
) -> None:
    service.user = "ada:sesame"
    window = str(script(tmp_path / "window", f"touch {tmp_path}/asked"))
    for asks in ("GIT_ASKPASS", "SSH_ASKPASS"):
        here = beside(clone, **{asks: window})
        with pytest.raises(Unreachable, match="wants a user"):
            fetch(here, at(service.url("memory.git")), LINE)
    assert not (tmp_path / "asked").exists()


def test_silent_server_is_left_in_time(
    clone: Libgit2Repository, service: Service
) -> None:
    service.silent = True
    with pytest.raises(Unreachable, match=r"memory took longer than 0\.2 seconds"):
        fetch(clone, at(service.url("memory.git")), TransportOptions(0.2))
    assert service.left.wait(30)  # so the process that git started is gone, too


def test_an_answer_that_breaks_off_changes_nothing(
    clone: Libgit2Repository, service: Service, tmp_path: Path
) -> None:
    remote = at(service.url("memory.git"))
    push(clone, remote, {SESSIONS: tip(clone)}, LINE)
    other = open_repository(make_repository(tmp_path / "other", commits=0))
    for service.keeps in (0, 300):
        with pytest.raises(Unreachable, match="Git failed with memory"):
            fetch(other, remote, LINE)
    assert other.resolve_ref(TRACKING) is None


@pytest.fixture
def ssh(tmp_path: Path) -> Path:
    """Takes OpenSSH's arguments, notes them, and runs the command here."""
    (tmp_path / "bin").mkdir()
    text = f'echo "$@" >>"{tmp_path}/log"; for last; do :; done; eval "$last"'
    return script(tmp_path / "bin" / "ssh", text)


@pytest.mark.endurance
@pytest.mark.parametrize("how", ["GIT_SSH_COMMAND", "core.sshCommand", "PATH"])
def test_ssh_asks_nothing(
    clone: Libgit2Repository, bare: Path, ssh: Path, how: str
) -> None:
    variables = {"PATH": f"{ssh.parent}:{os.environ['PATH']}"}
    if how == "GIT_SSH_COMMAND":
        variables = {how: f"'{ssh}' -i key"}
    elif how == "core.sshCommand":
        git(clone.common_dir, "config", how, f"'{ssh}' -i key")
    here = beside(clone, **variables)
    assert push(here, at(f"host:{bare}"), {SESSIONS: tip(clone)}, LINE)
    log = (bare.parent / "log").read_text()
    options = "-o BatchMode=yes" if how == "PATH" else "-i key -o BatchMode=yes"
    assert log.startswith(f"{options} ")


@pytest.mark.parametrize(
    "variables",
    [
        {"GIT_SSH_COMMAND": "'{ssh}'", "GIT_SSH_VARIANT": "simple"},
        {"GIT_SSH_COMMAND": "'{other}'", "GIT_SSH_VARIANT": "simple"},
        {"GIT_SSH": "{ssh}"},
    ],
)
def test_what_is_no_openssh_gets_no_options_of_it(
    clone: Libgit2Repository, bare: Path, ssh: Path, variables: dict[str, str]
) -> None:
    other = ssh.with_name("other")
    other.symlink_to(ssh)
    filled = {key: each.format(ssh=ssh, other=other) for key, each in variables.items()}
    here = beside(clone, **filled)
    assert push(here, at(f"host:{bare}"), {SESSIONS: tip(clone)}, LINE)
    assert "BatchMode" not in (bare.parent / "log").read_text()


def test_at_a_terminal_ssh_may_ask(
    clone: Libgit2Repository, bare: Path, ssh: Path
) -> None:
    here = beside(clone, GIT_SSH_COMMAND=quote(str(ssh)))
    there = TransportOptions(0.0, may_ask=True)
    assert push(here, at(f"host:{bare}"), {SESSIONS: tip(clone)}, there)
    assert "BatchMode" not in (bare.parent / "log").read_text()


def test_ssh_that_hangs_is_ended(
    clone: Libgit2Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gitmem.store.remote.watched_git._GRACE", 0.1)
    os.mkfifo(tmp_path / "pipe")
    end = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    text = f"trap '' TERM; exec 9>'{tmp_path}/pipe'; echo here >&9; cat; sleep 60"
    hangs = {"GIT_SSH_COMMAND": quote(str(script(tmp_path / "ssh", text)))}
    with pytest.raises(Unreachable, match="took longer"):
        fetch(beside(clone, **hangs), at("host:x"), TransportOptions(0.2))
    assert os.read(end, 100) == b"here\n"
    assert select.select([end], [], [], 5)[0]
    assert os.read(end, 100) == b""  # nobody has the other end any more
    os.close(end)


def test_what_git_says_as_it_ends_is_read(
    clone: Libgit2Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may end between a read that brought nothing and the look whether it ended."""
    monkeypatch.setattr("gitmem.store.remote.watched_git._PULSE", 0)
    for _ in range(30):
        said = run(["no-such-command"], clone.git_dir, clone.variables, PATIENCE)
        assert said.status == 1
        assert "no-such-command" in said.lines[0]


def test_a_push_within_a_push_goes_here_and_as_the_user_said(
    clone: Libgit2Repository, bare: Path, ssh: Path
) -> None:
    """Git's pre-push hook gets the settings of `git -c`, and names of places."""
    hook = clone.common_dir / "hooks" / "pre-push"
    hook.parent.mkdir(exist_ok=True)
    script(hook, f"env >'{bare.parent}/env'")
    setting = f"core.sshCommand='{ssh}' -v"
    git(
        clone.common_dir, "-c", setting, "push", "-q", str(bare), "HEAD:refs/heads/main"
    )
    lines = (bare.parent / "env").read_text().splitlines()
    variables = dict(each.split("=", 1) for each in lines if "=" in each)
    elsewhere = {
        "GIT_DIR": "/nowhere",
        "GIT_INDEX_FILE": "x",
        "GIT_QUARANTINE_PATH": "x",
    }
    here = open_repository(clone.git_dir, variables=variables | elsewhere)
    assert push(here, at(f"host:{bare}"), {SESSIONS: tip(clone)}, LINE)
    assert (bare.parent / "log").read_text().startswith("-v -o BatchMode=yes ")


@pytest.mark.parametrize(
    ("setting", "ref", "message", "hint"),
    [
        ("transfer.hideRefs=refs/ocm", SESSIONS, "takes no refs of this", "remoteRef"),
        ("receive.maxInputSize=10", SESSIONS, "too large for memory", "allow more"),
        ("x.y=z", "refs/heads/main/sessions", "refused .*cannot", "remoteRef"),
    ],
)
def test_why_a_remote_does_not_take_it_is_said_in_words(
    clone: Libgit2Repository,
    bare: Path,
    setting: str,
    ref: str,
    message: str,
    hint: str,
) -> None:
    git(clone.common_dir, "push", "-q", str(bare), "HEAD~1:refs/heads/main")
    git(bare, "config", *setting.split("="))
    with pytest.raises(Unreachable, match=message) as raised:
        push(clone, at(bare, ref), {SESSIONS: tip(clone)}, LINE)
    assert hint in str(raised.value.hint)


def test_words_of_remote_hooks_are_shown(clone: Libgit2Repository, bare: Path) -> None:
    script(bare / "hooks" / "pre-receive", "echo 'GH013: not on a Friday'; exit 1")
    with pytest.raises(
        Unreachable, match=r"refused refs/ocm/sessions: .*on a Friday"
    ) as raised:
        push(clone, at(bare), {SESSIONS: tip(clone)}, LINE)
    assert "remoteRef" in str(raised.value.hint)


@every_row(
    ("status", "message", "hint"),
    [
        (200, "Git failed with memory: .*(not valid|access URL)", "ls-remote"),
        (413, "too large for memory", "client_max_body_size"),
        (500, "Git failed with memory: .*error: 500", "ls-remote"),
        (403, "No access", "whoever runs it"),
        (404, "is not found", "URL right"),
    ],
)
def test_what_a_web_server_says_instead_of_git_is_told(
    clone: Libgit2Repository, service: Service, status: int, message: str, hint: str
) -> None:
    service.status = status
    with pytest.raises(Unreachable, match=message) as raised:
        push(clone, at(service.url("memory.git")), {SESSIONS: tip(clone)}, LINE)
    assert hint in str(raised.value.hint)


def test_a_shell_that_prints_is_named(
    clone: Libgit2Repository, bare: Path, ssh: Path
) -> None:
    ssh.write_text(ssh.read_text().replace("#!/bin/sh", "#!/bin/sh\necho Welcome"))
    here = beside(clone, GIT_SSH_COMMAND=quote(str(ssh)))
    with pytest.raises(Unreachable, match=r"Git failed with memory: .*Welc"):
        push(here, at(f"host:{bare}"), {SESSIONS: tip(clone)}, LINE)


def test_progress_is_shown_without_secrets(
    clone: Libgit2Repository, bare: Path
) -> None:
    said = "see https://ada:hunter2@host/x and ghp_" + "a1B2" * 9
    script(bare / "hooks" / "post-receive", f"printf '1 of 2\\r2 of 2\\n{said}'")
    heard: list[str] = []
    there = TransportOptions(20.0, notify=heard.append)
    assert push(clone, at(bare), {SESSIONS: tip(clone)}, there)
    assert any(each.startswith("Writing objects: 100%") for each in heard)
    assert "remote: 1 of 2" in heard
    told = "\n".join(heard)
    assert "see https://host/x and" in told
    assert "hunter2" not in told
    assert "a1B2a1B2" not in told


def test_shallow_memory_is_reported(
    clone: Libgit2Repository, bare: Path, tmp_path: Path
) -> None:
    git(tmp_path, "clone", "-q", "--depth=1", clone.common_dir.as_uri(), "shallow")
    shallow = open_repository(tmp_path / "shallow")
    with pytest.raises(Unreachable, match="shallow update not allowed"):
        push(shallow, at(bare), {SESSIONS: tip(shallow)}, LINE)


def test_shallow_remote_is_reported(clone: Libgit2Repository, tmp_path: Path) -> None:
    writer = make_repository(tmp_path / "writer", commits=3)
    git(tmp_path, "clone", "-q", "--depth=1", writer.as_uri(), "shallow")
    git(tmp_path / "shallow", "update-ref", SESSIONS, "HEAD")
    with pytest.raises(Unreachable, match="shallow roots are not allowed"):
        fetch(clone, at(tmp_path / "shallow"), LINE)
    assert clone.resolve_ref(TRACKING) is None
    assert not (clone.common_dir / "shallow").exists()


def test_old_git_is_reported_and_sends_nothing(
    clone: Libgit2Repository, bare: Path, tmp_path: Path
) -> None:
    """It takes the name of our remote for that of a folder in the work tree."""
    folder = Path(clone.work_tree or "", OUR_REMOTE)
    git(tmp_path, "init", "--quiet", "--bare", str(folder))
    here = beside(clone, PATH=path_with_old_git(tmp_path / "old"))
    with pytest.raises(Unreachable, match="Git is too old") as caught:
        push(here, at(bare), {SESSIONS: tip(clone)}, LINE)
    assert OLDEST_GIT in (caught.value.hint or "")
    assert git(folder, "for-each-ref") == ""


def test_invalid_objects_are_refused(clone: Libgit2Repository, bare: Path) -> None:
    forged = f"tree {clone.tree_of(tip(clone))}\nauthor Ada 1 +0000\n\nforged\n"
    (bare / "forged").write_text(forged)
    git(clone.common_dir, "push", "-q", str(bare), f"HEAD:{SESSIONS}")
    literally = ("hash-object", "--literally", "-t", "commit", "-w")
    commit = git(bare, *literally, str(bare / "forged"))
    git(bare, "update-ref", SESSIONS, commit)
    with pytest.raises(Unreachable, match=r"Git failed with memory: .*missingEmail"):
        fetch(clone, at(bare), LINE)
    assert clone.resolve_ref(TRACKING) is None


@every_row(
    ("location", "message"),
    [
        ("/nowhere", "memory is not found"),
        ("ext::sh -c :", "Git failed with memory: .*(not allowed|not a git|aborted)"),
        ("strange::x", "Git failed with memory: .*(not allowed|not a git|aborted)"),
        ("--upload-pack=touch stolen", "Git failed with memory: .*blocked"),
        ("ssh://-oProxyCommand=touch/x", "Git failed with memory: .*blocked"),
        ("http://127.0.0.1:1/x", "memory does not answer"),
        ("", "Git failed with memory|memory is not found"),
    ],
)
def test_what_cannot_be_reached_is_told_apart(
    clone: Libgit2Repository, location: str, message: str
) -> None:
    with pytest.raises(Unreachable, match=message):
        fetch(clone, at(location), LINE)
