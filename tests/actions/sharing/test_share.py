"""Sharing is on where the user said so, and off again without a trace."""

from pathlib import Path
from typing import Any

import pytest
from cli.running import append_by_hand, commit_by_hand
from support.clones import make_clones, remote_in
from support.harness import git
from support.http_server import serving
from support.workspaces import saved_id, saved_session, workspace_at

from gitmem.actions.forgetting import forget, sessions_named
from gitmem.actions.sharing.preview import offered, place_of
from gitmem.actions.sharing.share_settings import (
    ShareRequest,
    proposal,
    sharing,
    turn_off,
    turn_on,
)
from gitmem.actions.sharing.sync_report import Author
from gitmem.documents.kinds import SESSION
from gitmem.documents.session.identity import document_path
from gitmem.errors import InvalidInput
from gitmem.store.remote.remote import Remote

OURS = "+refs/ocm/sessions*:refs/ocm/remotes/origin/sessions*"
INBOX = "+refs/ocm/inbox/sessions/*:refs/ocm/remotes/origin/inbox/sessions/*"
SESSIONS = {"refs/ocm/sessions": "refs/ocm/sessions"}


def with_remotes(repository: Path, **urls: str) -> None:
    for name, url in urls.items():
        git(repository, "remote", "add", name, url)


def shared(repository: Path, **wanted: Any) -> None:
    workspace = workspace_at(repository)
    turn_on(workspace, proposal(workspace, ShareRequest(**wanted)))


def of_ours(repository: Path) -> list[str]:
    settings = git(repository, "config", "--local", "--list").splitlines()
    return sorted(line for line in settings if "ocm" in line)


def test_nothing_is_shared_before_it_was_chosen(repository: Path) -> None:
    with_remotes(repository, origin="/nowhere")
    assert sharing(workspace_at(repository)) is None


@pytest.mark.parametrize(
    ("remotes", "chosen"),
    [(["only"], "only"), (["upstream", "origin"], "origin"), (["a", "b"], None)],
)
def test_remote_is_the_only_one_origin_or_named(
    repository: Path, remotes: list[str], chosen: str | None
) -> None:
    with_remotes(repository, **dict.fromkeys(remotes, "/nowhere"))
    workspace = workspace_at(repository)
    if chosen:
        assert proposal(workspace, ShareRequest()).remote.name == chosen
    else:
        with pytest.raises(InvalidInput, match="several"):
            proposal(workspace, ShareRequest())
        assert proposal(workspace, ShareRequest("b")).remote.name == "b"


def test_settings_that_make_no_sense_are_refused_with_a_way_on(
    repository: Path,
) -> None:
    with_remotes(repository, origin="/nowhere")
    git(repository, "config", "ocm.remote", "origin")
    bad_refs = (
        *("main", "refs/heads/main", "refs/heads/.hidden/ocm/sessions"),
        *("refs/heads/a b/ocm/sessions", "refs/heads/x.lock/ocm/sessions"),
        *("refs/tags/ocm", "refs/heads/ocm/conversations", "refs/heads/*"),
    )
    for key, values in (
        ("ocm.remoteRef", bad_refs),
        ("ocm.remoteUrl", ("--upload-pack=evil", "a\nb")),
        ("ocm.remote", ("gone", "-x", "a..b")),
    ):
        for value in values:
            git(repository, "config", key, value)
            with pytest.raises(InvalidInput) as refused:
                sharing(workspace_at(repository))
            assert refused.value.hint
        git(repository, "config", "--unset", key)


def test_conversations_go_beside_the_sessions(repository: Path) -> None:
    with_remotes(repository, origin="/nowhere")
    for folder in ("refs/heads/ocm", "refs/heads/users/ada/ocm"):
        shared(repository, ref=f"{folder}/sessions", with_conversations=True)
        chosen = sharing(workspace_at(repository))
        assert chosen is not None
        assert chosen.remote.refs == {
            "refs/ocm/sessions": f"{folder}/sessions",
            "refs/ocm/memories": f"{folder}/memories",
            "refs/ocm/conversations": f"{folder}/conversations",
        }


def test_off_takes_back_what_on_did_and_no_more(repository: Path) -> None:
    with_remotes(repository, origin="/nowhere")
    theirs = "+refs/heads/*:refs/remotes/origin/*"
    shared(repository, auto_push=True, with_conversations=True)
    key = "remote.origin.fetch"
    fetched = git(repository, "config", "--get-all", key).splitlines()
    kinds = ("sessions", "conversations", "memories")
    ours = [OURS.replace("sessions", each) for each in kinds]
    inboxes = [INBOX.replace("sessions", each) for each in kinds]
    assert fetched == [theirs, *ours, *inboxes]
    shared(repository, auto_push=True)
    assert len(git(repository, "config", "--get-all", key).splitlines()) == 7
    tracking = "refs/ocm/remotes/origin/sessions"
    git(repository, "update-ref", tracking, "HEAD")
    assert turn_off(workspace_at(repository)) == "origin"
    assert of_ours(repository) == []
    assert git(repository, "config", "--get-all", key) == theirs
    assert git(repository, "for-each-ref", "refs/ocm") == ""
    assert turn_off(workspace_at(repository)) is None


def test_sharing_ends_without_its_remote(repository: Path) -> None:
    with_remotes(repository, origin="/nowhere")
    shared(repository)
    git(repository, "remote", "remove", "origin")
    assert turn_off(workspace_at(repository)) == "origin"
    assert of_ours(repository) == []


def test_mistyped_remote_differs_from_a_deleted_one(repository: Path) -> None:
    with_remotes(repository, origin="/nowhere")
    workspace = workspace_at(repository)
    with pytest.raises(InvalidInput, match=r"no remote 'orgin'\.") as refused:
        proposal(workspace, ShareRequest("orgin"))
    assert refused.value.hint == "There are: origin."
    shared(repository)
    git(repository, "remote", "rename", "origin", "upstream")
    with pytest.raises(InvalidInput, match="which memory is shared with") as refused:
        sharing(workspace)
    assert "`ocm share off`" in str(refused.value.hint)


def test_another_remote_is_not_taken_instead(repository: Path) -> None:
    with_remotes(repository, origin="/nowhere", other="/elsewhere")
    shared(repository)
    with pytest.raises(InvalidInput, match="already"):
        shared(repository, name="other")
    with pytest.raises(InvalidInput, match="already"):
        shared(repository, url="/elsewhere")


def test_a_plain_fetch_works_though_the_remote_has_no_memory(tmp_path: Path) -> None:
    [clone] = make_clones(tmp_path, 1)
    git(clone.folder, "config", "--unset", "ocm.remote")
    shared(clone.folder, ref="refs/heads/ocm/sessions")
    git(clone.folder, "fetch", "origin")
    git(clone.folder, "fetch", "--prune", "--all")
    assert git(remote_in(tmp_path), "for-each-ref", "refs/ocm") == ""


def test_an_offer_counts_what_would_leave(repository: Path) -> None:
    workspace = workspace_at(repository)
    saved_session(workspace, goal="Stop the double charge")
    saved_session(workspace, goal="Another")
    offer = offered(workspace, Remote("o", "o", SESSIONS), lambda *_: None)
    assert (offer.sessions, offer.conversations, offer.findings) == (2, 0, ())
    assert offer.authors == (Author("Ada", 2),)
    assert offer.since == str(workspace.now().date())


def test_a_secret_that_slipped_in_is_told_by_its_rule_alone(repository: Path) -> None:
    workspace = workspace_at(repository)
    session_id = saved_id(workspace, goal="Stop it")
    secret = "ghp_" + "a1B2c3D4e5F6" * 3
    text = f"\n## Mine\n\n<private>x</private>\ntoken {secret}\n"
    append_by_hand(repository, session_id, text)
    offer = offered(workspace, Remote("o", "o", SESSIONS), lambda *_: None)
    [suspect] = offer.findings
    assert suspect.session_id == session_id
    assert "private" in suspect.rules
    assert len(suspect.rules) == 2
    assert secret not in repr(offer)
    assert offer.unread == ()
    forget(workspace, sessions_named(workspace, [session_id], from_history=False))
    earlier = offered(workspace, Remote("o", "o", SESSIONS), lambda *_: None)
    assert (earlier.sessions, earlier.findings) == (0, offer.findings)


def test_unscannable_text_is_named_with_its_session(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace = workspace_at(repository)
    session_id = saved_session(workspace, goal="Stop it").session_id or ""
    path = document_path(session_id)
    monkeypatch.setattr(type(SESSION), "most_bytes", 2_000)
    commit_by_hand(repository, path, "x" * 2_001)
    commit_by_hand(repository, path, "shorter again")
    offer = offered(workspace, Remote("o", "o", SESSIONS), lambda *_: None)
    assert (offer.unread, offer.findings) == ((session_id,), ())


@pytest.mark.parametrize(
    ("pushed", "comes_from"),
    [
        ("git@hub.invalid:ada/pay.git", None),
        ("ssh://hub.invalid/ada/public", "https://hub.invalid/ada/pay"),
    ],
)
def test_the_place_is_the_one_that_is_pushed_to(
    repository: Path, pushed: str, comes_from: str | None
) -> None:
    with_remotes(repository, origin="https://ada:pw@hub.invalid/ada/pay")
    git(repository, "remote", "set-url", "--push", "origin", "there")
    git(repository, "config", f"url.{pushed}.insteadOf", "there")
    workspace = workspace_at(repository)
    place = place_of(workspace, Remote("origin", "origin", SESSIONS))
    assert (place.url, place.comes_from) == (pushed, comes_from)


def test_a_folder_is_asked_of_nobody_and_no_password_is_shown(repository: Path) -> None:
    workspace = workspace_at(repository)
    folder = place_of(workspace, Remote("o", str(repository), SESSIONS))
    assert folder.public is None
    hidden = place_of(workspace, Remote("o", "http://ada:pw@127.0.0.1:1/x", SESSIONS))
    assert (hidden.url, hidden.public) == ("http://127.0.0.1:1/x", None)


@pytest.mark.parametrize(("user", "is_public"), [(None, True), ("ada:pw", False)])
def test_public_is_what_answers_somebody_without_an_account(
    repository: Path, tmp_path: Path, user: str | None, *, is_public: bool
) -> None:
    make_clones(tmp_path / "hub", 1)
    with serving(tmp_path / "hub", user=user) as service:
        url = service.url("remote.git", user)
        git(repository, "config", "--global", "credential.helper", "!touch asked; echo")
        (Path.home() / ".netrc").write_text("machine 127.0.0.1 login ada password pw\n")
        place = place_of(workspace_at(repository), Remote("o", url, SESSIONS))
    assert place.public is is_public
    assert "pw" not in place.url
    assert not list(repository.rglob("asked"))


def test_a_host_that_does_not_answer_leaves_it_unknown(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gitmem.actions.sharing.preview._PATIENCE", 0.2)
    with serving(repository, silent=True) as service:
        url = service.url("remote.git")
        place = place_of(workspace_at(repository), Remote("o", url, SESSIONS))
    assert place.public is None
