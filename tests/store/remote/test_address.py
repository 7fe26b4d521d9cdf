"""Which URLs lead to one repository."""

import os
from pathlib import Path

from support.harness import git, make_repository
from support.rounds import every_row

from gitmem.git.opening import open_through_git
from gitmem.git.repository import Repository
from gitmem.store.remote.address import repository_at
from gitmem.store.remote.pushing import push_url
from gitmem.store.remote.remote import Choice, remote_of

AT_A_HOST = """
git@example.com:team/shop.git
example.com:/team/shop/
alice@EXAMPLE.com:team/shop
ssh://git@example.com/team/shop.git/
ssh://example.com:22/team/shop
git+ssh://example.com:/team/shop.git
https://example.com/team/shop
https://user:p@ss%2F@Example.Com:443//team/shop.git
http://example.com:80/team/shop
git://example.com:9418/team/shop
"""
ELSEWHERE = """
https://example.com/fork/shop
https://example.com/team/shop2
https://example.com/team/Shop
https://example.com/shop
https://example.com.evil.example/team/shop
https://example.com:8443/team/shop
ssh://example.com:443/team/shop
https://example.org/team/shop
ext::ssh example.com team/shop
/example.com/team/shop
example.com/team/shop
"""


def opened(folder: Path) -> Repository:
    return open_through_git(folder, os.environ)


def test_protocol_user_and_form_do_not_matter(repository: Path) -> None:
    here = opened(repository)
    named = {repository_at(url, here) for url in AT_A_HOST.split("\n") if url}
    assert named == {("example.com/team/shop",)}
    others = [repository_at(url, here) for url in ELSEWHERE.split("\n") if url]
    assert len({*others, *named}) == len(others) + 1
    assert repository_at("[::1]:x", here) == repository_at("ssh://g@[::1]/x.git", here)


def test_a_folder_is_one_by_whatever_path(repository: Path, tmp_path: Path) -> None:
    make_repository(tmp_path / "other.git")
    (tmp_path / "link").symlink_to("other.git")
    here, other = opened(repository), tmp_path / "other.git"
    forms = [other, f"{other}/", other.as_uri(), f"{other}/.git", tmp_path / "other"]
    forms += ["../other.git", tmp_path / "link"]
    names = {repository_at(str(form), here) for form in forms}
    assert names == {(str(other.resolve()), "../../other.git")}
    (tmp_path / "other").mkdir()
    assert repository_at("../other", here)[0] == str((tmp_path / "other").resolve())


def test_nothing_secret_is_in_it(repository: Path) -> None:
    token = "ghp_" + "a1B2c3D4e5F6" * 3
    for url in (
        f"https://x:{token}@example.com/a",
        f"https://{token}@example.com/a",
        f"https://example.com/a?private_token={token}",
        f"helper::https://x:{token}@example.com/a",
        f"s3://x:{token}@bucket/a",
    ):
        assert token not in str(repository_at(url, opened(repository)))


@every_row(
    ("settings", "url"),
    [
        (["remote.origin.url=ssh://a/x"], "ssh://a/x"),
        (["remote.origin.url=a:x", "remote.origin.url=b:x"], "a:x"),
        (["remote.origin.url=a:x", "remote.origin.pushurl=b:x"], "b:x"),
        (["remote.origin.url=a:x", "url.b:.insteadOf=a:"], "b:x"),
        (["remote.origin.url=a:x", "url.b:.pushInsteadOf=a:"], "b:x"),
        (
            [
                *("remote.origin.url=a:x", "url.b:.pushInsteadOf=a:"),
                *("remote.origin.pushurl=a:y", "remote.origin.pushurl=c:y"),
            ],
            "a:y",
        ),
    ],
)
def test_it_is_where_git_would_push(
    tmp_path: Path, settings: list[str], url: str
) -> None:
    root = make_repository(tmp_path / f"r{len(list(tmp_path.iterdir()))}")
    for key, _, value in (each.partition("=") for each in settings):
        git(root, "config", "--add", key, value)
    here = opened(root)
    assert push_url(here, remote_of(here, Choice("origin"))) == url
    assert git(root, "remote", "get-url", "--push", "origin") == url
