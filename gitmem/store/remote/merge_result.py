"""What arrives for a ref of ours, and what the ref becomes, as values."""

from dataclasses import dataclass, replace

from gitmem.git.values import Oid
from gitmem.store.remote.held_back import Held
from gitmem.store.remote.untrusted import Stranger


@dataclass(frozen=True, slots=True)
class Inbox:
    """What waits at a remote for a ref of ours."""

    tip: Oid | None = None
    """The remote's ref with all that waits."""
    merged: frozenset[Oid] = frozenset()
    """Commits that wait and add nothing to the remote's ref."""
    added: frozenset[Oid] = frozenset()
    """Those that `tip` alone has."""
    refused: tuple[Stranger, ...] = ()


@dataclass(frozen=True, slots=True)
class Taken:
    """A ref of ours with another history taken in; nothing leads to it yet."""

    ref: str
    ours: Oid | None
    """The tip that was built on."""
    theirs: Oid | None
    """The remote's ref."""
    commit: Oid | None
    """`ours` where there is nothing new, theirs where that only goes on, else a new
    commit: after both, or after theirs alone, if any, where ours is given up or had
    nothing else. Theirs is the remote's ref with all that waits."""
    sent: Oid | None
    """What is for the remote: the same, but where something is held back here."""
    arriving: frozenset[str]
    """Ids of sessions whose text differs from what was here."""
    leaving: frozenset[str]
    """Ids of sessions whose text differs from what was there."""
    lost: frozenset[str] = frozenset()
    """Ids of what theirs had no more, or less of, though nobody forgot it: it stays."""
    held: tuple[Held, ...] = ()
    strangers: tuple[Stranger, ...] = ()
    """The first ones."""
    more_strangers: int = 0
    """How many there are beside these."""
    inbox: Inbox = Inbox()

    @property
    def is_new(self) -> bool:
        """Whether anything of ours is not at the remote, nor waits there."""
        return self.sent is not None and self.sent != self.inbox.tip

    def after(self, earlier: "Taken") -> "Taken":
        """Both as one: what was taken in first, and this on top of it."""
        return replace(
            self,
            ours=earlier.ours,
            theirs=earlier.theirs,
            arriving=earlier.arriving | self.arriving,
            leaving=earlier.leaving,
            lost=earlier.lost | self.lost,
            strangers=(*dict.fromkeys((*earlier.strangers, *self.strangers)),),
            more_strangers=earlier.more_strangers + self.more_strangers,
        )


@dataclass(frozen=True, slots=True)
class Arrival:
    """A ref of ours as another clone has it."""

    ref: str
    """`refs/ocm/sessions` or `refs/ocm/conversations`."""
    commit: Oid | None
    """Where it is there; None where it is not, as far as we know."""
    followed: Oid | None
    """Where it was when we last heard of it."""
