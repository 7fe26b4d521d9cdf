"""The turns of a conversation held elsewhere that touched this repository.

Nothing else of it is taken: other turns are about repositories of their own.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from itertools import accumulate, compress, pairwise
from typing import TYPE_CHECKING

from gitmem.actions.saving.transcript_change import edited_files
from gitmem.assistants.assistant import EventKind
from gitmem.assistants.transcripts import CommandRun, Transcript, printed_commits
from gitmem.assistants.transcripts.in_repository import RepositoryFolders
from gitmem.documents.conversation.conversation import Speaker, Turn
from gitmem.errors import Damaged

if TYPE_CHECKING:  # a hook that counts edits opens no repository
    from gitmem.git.repository import Repository

_NEW_EXCHANGE = (Speaker.ASSISTANT, Speaker.PERSON)
"""Speakers of two turns of which the second begins an exchange: prompts and answers."""


def part_touching(
    transcript: Transcript,
    folders: RepositoryFolders,
    git: "Repository",
    wrote_here: Callable[[CommandRun], bool] = lambda _: False,
) -> Transcript:
    """Return the turns that edited a file or committed here, and their prompts.

    `wrote_here` tells which commands wrote a file. All edits stay, as they tell which
    other repositories the conversation touched. No turns where prompts have no times.
    """
    turns = transcript.turns
    speakers = (Speaker.ASSISTANT, *(turn.speaker for turn in turns))
    begins = [pair == _NEW_EXCHANGE for pair in pairwise(speakers)]
    starts = _times(compress(turns, begins))
    moments = [*_moments(transcript, folders, git, wrote_here)]
    touched = {bisect_right(starts, at) for at in moments} if starts else set()

    def is_touched(at: datetime | None) -> bool:
        return at is not None and bisect_right(starts, at) in touched

    numbered = zip(turns, accumulate(begins), strict=True)
    own_turns = tuple(turn for turn, number in numbered if number in touched)
    times = [*moments, *(turn.at for turn in own_turns if turn.at)]
    return replace(
        transcript,
        branch=None,
        began_at=min(times, default=transcript.began_at),
        ended_at=max(times, default=transcript.ended_at),
        turns=own_turns,
        events=tuple(
            event
            for event in transcript.events
            if event.kind is EventKind.EDIT or is_touched(event.at)
        ),
        runs=tuple(run for run in transcript.runs if is_touched(run.ended)),
        summary="",
        base="",
        own_part=None,
    )


def is_touching(part: Transcript, folders: RepositoryFolders) -> bool:
    """Tell whether anything of such a part is about this repository."""
    names = edited_files(part)
    return bool(part.turns) or any(folders.path_of(*name) for name in names)


def _times(turns: Iterable[Turn]) -> list[datetime]:
    """Return the times of turns; nothing if one is unknown."""
    times = [turn.at for turn in turns]
    return [at for at in times if at] if all(times) else []


def _moments(
    transcript: Transcript,
    folders: RepositoryFolders,
    git: "Repository",
    wrote_here: Callable[[CommandRun], bool],
) -> Iterator[datetime]:
    """Yield when a file of this repository was edited, and when a commit was made."""
    for event in transcript.events:
        folder = event.folder or transcript.folder
        is_edit = event.kind is EventKind.EDIT
        if event.at and is_edit and folders.path_of(folder, event.path):
            yield event.at
    for run in transcript.runs:
        if wrote_here(run) or _committed_here(run, git):
            yield run.ended


def _committed_here(run: CommandRun, git: "Repository") -> bool:
    """Tell whether git has a commit that a command printed, by id and subject."""
    with suppress(Damaged):
        for printed in printed_commits(run.command, run.output):
            name = git.full_name(printed.sha)
            commit = git.commit_details(name) if name else None
            if commit and commit.subject == printed.subject:
                return True
    return False
