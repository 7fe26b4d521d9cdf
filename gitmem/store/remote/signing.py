"""Signed tips, as `ocm.requireSigned` demands.

A tip vouches for all that it leads to, so a sync needs one signature. Git signs and
verifies by the user's settings (gpg.format, user.signingKey,
gpg.ssh.allowedSignersFile, gpg.minTrustLevel).
"""

from contextlib import suppress
from dataclasses import replace

from gitmem.errors import InvalidInput
from gitmem.frozen import frozen
from gitmem.git.command import RefusedError
from gitmem.git.repository import Repository
from gitmem.git.values import Oid
from gitmem.store.remote.merge_refs import MergeResult

REQUIRE_SIGNED = "ocm.requireSigned"
_MESSAGE = b"sign: what is sent\n"


@frozen
class Signer:
    git: Repository

    def is_signed(self, commit: Oid) -> bool:
        """Return whether git finds a good signature, by somebody the user trusts."""
        return self._said("verify-commit", commit) is not None

    def signed(self, taken: MergeResult) -> MergeResult:
        """Put a signed commit on top of what is sent.

        Raises InvalidInput where git cannot sign.
        """
        sent = taken.sent
        if sent is None or sent == taken.theirs:
            return taken
        tip, commit = self.on_top(sent), taken.commit
        if commit == sent:
            return replace(taken, sent=tip, commit=tip)
        parents = self._parents(commit) if commit else []
        if commit and sent in parents:
            commit = self._commit(commit, [tip if p == sent else p for p in parents])
        return replace(taken, sent=tip, commit=commit)

    def on_top(self, commit: Oid) -> Oid:
        """Return a signed commit on top of this one, or itself where it is signed."""
        return commit if self.is_signed(commit) else self._commit(commit, [commit])

    def _commit(self, like: Oid, parents: list[Oid]) -> Oid:
        """Return a signed commit with the tree of another one."""
        tree = str(self.git.tree_of(like))
        after = [part for parent in parents for part in ("-p", parent)]
        made = self._said("commit-tree", "-S", tree, *after, given=_MESSAGE)
        if made is None:
            raise InvalidInput(
                f"{REQUIRE_SIGNED} is set, and git cannot sign what is sent.",
                hint="`git commit --allow-empty -S` says why; user.signingKey names"
                " the key.",
            )
        content = self._said("cat-file", "commit", made.decode().strip())
        return self.git.write_commit(content or b"")  # so that the disk has it

    def _parents(self, commit: Oid) -> list[Oid]:
        said = self._said("rev-parse", f"{commit}^@") or b""
        return said.decode().split()

    def _said(self, *arguments: str, given: bytes = b"") -> bytes | None:
        """Return what git prints; None where it fails."""
        with suppress(RefusedError):
            return self.git.output(*arguments, given=given)
        return None
