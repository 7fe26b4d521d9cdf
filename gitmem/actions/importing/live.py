"""A conversation that hooks saw is kept as soon as it ends, and not by an import alone.

The hook is told where the transcript lies, by whoever ran it. So read is only what an
import would have found by itself, and of that only the very conversation.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from gitmem.actions.importing.bring_in import (
    Wanted,
    bring_in,
    here_of,
    keeps_conversations,
    kept_in,
)
from gitmem.actions.importing.derived import derived
from gitmem.actions.importing.files import TranscriptFile, files_in
from gitmem.actions.importing.report import Report
from gitmem.actions.saving.capture import capture
from gitmem.assistants.transcripts.keepers import KEEPERS
from gitmem.assistants.transcripts.transcript import Keeper, Transcript
from gitmem.model.identity import clean_client_id
from gitmem.model.session import Trigger
from gitmem.workspace import Workspace

SIZE_LIMIT = 500_000_000
"""Bytes of a transcript that is read without anybody having asked for it."""


@dataclass(frozen=True, slots=True)
class Told:
    """What a hook was told of a conversation."""

    tool: str
    client_session_id: str
    """Clean."""
    transcript: str
    """The path of a file, not to be believed; "" for none."""


def save(workspace: Workspace, told: Told, trigger: Trigger) -> None:
    """Save what is known of a conversation that hooks saw, and what was said in it.

    The transcript is read first, so that what was asked goes into the checkpoint, and
    not into a commit of its own. Whatever it is, the checkpoint is made. Of a
    conversation that has no session after that, nothing is kept.
    """
    heard = None
    try:
        heard = _heard(workspace, told)
    finally:
        prompts = heard.prompts if heard else ()
        session = capture(workspace, told.client_session_id, trigger, prompts)
    if heard and session:
        files, report = [heard.file], Report()
        bring_in(workspace, Wanted(keeper=heard), files, report, lambda *_: None)


@dataclass(frozen=True, slots=True)
class _Heard:
    """A conversation that has been read, as the only one that its assistant keeps."""

    tool: str
    pattern: str
    file: TranscriptFile
    transcript: Transcript
    prompts: tuple[str, ...]
    """As the session lists them."""

    def places(
        self, _home: Path, _variables: Mapping[str, str], _roots: Iterable[Path]
    ) -> Iterator[Path]:
        yield self.file.path

    def read(self, _: Path) -> Iterator[Transcript]:
        yield self.transcript


def _heard(workspace: Workspace, told: Told) -> _Heard | None:
    keeper = next((each for each in KEEPERS if each.tool == told.tool), None)
    if not keeper or not told.transcript or not keeps_conversations(workspace):
        return None
    file = _file(workspace, keeper, told.transcript)
    transcript = _transcript(keeper, file, told.client_session_id) if file else None
    if not file or not transcript:
        return None
    prompts = _prompts(workspace, transcript)
    return _Heard(keeper.tool, keeper.pattern, file, transcript, prompts)


def _file(workspace: Workspace, keeper: Keeper, named: str) -> TranscriptFile | None:
    """The file with this name where an import would find it and read it."""
    try:
        path = Path(named).resolve(strict=True)
        places = [place.resolve() for place in kept_in(workspace, keeper)]
    except (OSError, ValueError, RuntimeError):  # gone, no path, a loop of links
        return None
    is_kept = any(path.is_relative_to(place) for place in places)
    if not is_kept or not path.match(keeper.pattern):
        return None
    found = files_in([path], keeper.pattern)
    sound = (each for each in found if each.path == path and each.size <= SIZE_LIMIT)
    return next(sound, None)


def _transcript(
    keeper: Keeper, file: TranscriptFile, client_session_id: str
) -> Transcript | None:
    try:
        for found in keeper.read(file.path):
            if (
                isinstance(found, Transcript)
                and clean_client_id(found.client_session_id) == client_session_id
            ):
                return found
    except OSError:  # gone meanwhile
        pass
    return None


def _prompts(workspace: Workspace, transcript: Transcript) -> tuple[str, ...]:
    """None of a conversation that an import would leave to another repository."""
    here = here_of(workspace)
    if not here.holds(transcript.folder):
        return ()
    found = derived(transcript, workspace, here)
    return found.record.checkpoint.prompts if found else ()
