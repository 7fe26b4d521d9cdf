"""Spaces that are shared: each with a remote of its own."""

from collections.abc import Iterator

from gitmem.actions.remembering.places import space_names, space_of
from gitmem.actions.sharing.share_settings import Sharing, sharing
from gitmem.actions.sharing.sync import sync
from gitmem.actions.sharing.sync_report import SyncOutcome, SyncReport, as_json
from gitmem.actions.sharing.sync_steps import SyncOptions
from gitmem.config import Environment
from gitmem.errors import GitmemError, NoPermission
from gitmem.frozen import frozen
from gitmem.git.config import is_set_here
from gitmem.redaction.redact import following, redact
from gitmem.store.remote.remote import TransportOptions
from gitmem.store.trees.committing import REMOTE_URL
from gitmem.workspace import Workspace


@frozen
class SyncedSpace:
    """Result of the sync of one space: a report, or an error."""

    name: str
    report: SyncReport | None = None
    error: GitmemError | None = None

    @property
    def status(self) -> int:
        """The exit status of a command that did nothing else."""
        if self.error:
            return self.error.exit_status
        return int(self.report is not None and self.report.outcome is SyncOutcome.LOST)

    def as_json(self) -> dict[str, object]:
        error = self.error
        answer = as_json(self.report) if self.report else {}
        error_row = error and {"code": error.code, "message": redact(error.message)}
        return {"name": self.name, **answer, "error": error_row}


def is_shared(space: Workspace) -> bool:
    """Tell whether a space has a remote of its own, set for it alone."""
    return is_set_here(space.repository, REMOTE_URL)


def space_sharing(space: Workspace) -> Sharing | None:
    return sharing(space) if is_shared(space) else None


def sync_spaces(
    environment: Environment, wish: SyncOptions, line: TransportOptions
) -> Iterator[SyncedSpace]:
    """Sync each space that is shared, and yield what came of it."""
    for name in space_names(environment):
        report: SyncReport | None = None
        failed: GitmemError | None = None
        try:
            space = space_of(environment, name)
            chosen = space_sharing(space)
            if chosen is None:
                continue
            with following(space.user_rules()):
                report = sync(space, chosen, wish, line)
        except GitmemError as error:
            failed = error
        except OSError as error:
            message = f"The system refuses {error.filename}: {error.strerror}."
            failed = NoPermission(message)
        yield SyncedSpace(name, report, failed)
