"""What a hook tells the client's model, in the words that the client reads.

A brief as a conversation begins, the conversation's id in the call of our tool, and at
the end of a turn that it is time to save. Texts name the command beside the tool, for
users who declined the MCP server.
"""

import os
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from gitmem.assistants.assistant import EventKind, HookClient, HookEvent
from gitmem.assistants.payload import OWN_PREFIX, typed_words
from gitmem.config import NUDGE_SETTING, current_environment
from gitmem.documents.event import (
    Compaction,
    Event,
    Nudge,
    Occasion,
    Prompt,
    Recalled,
    Start,
    Trigger,
)
from gitmem.documents.event_log import count_edits, events_in, from_json, last_sign
from gitmem.hook.file_answers import QUIET, at_file
from gitmem.hook.observe import HookConversation
from gitmem.hook.place import reads_transcripts, setting
from gitmem.hook.prompt_answers import answer_prompt, asks_to_remember

if TYPE_CHECKING:
    from gitmem.workspace import Workspace

NUDGE_AFTER = 20
"""Edits, unless `ocm.nudge.edits` is set."""

_NUDGE = (
    "{count} edits were made since this session was last saved. Save with"
    " ocm__checkpoint, or without that tool with `ocm checkpoint` in the shell, what is"
    " new (done, still to be done, decisions), then finish."
)
_REMEMBER = OWN_PREFIX + "`ocm__remember` keeps this for later conversations."
_OF_FACTS = f'"trigger": "{Trigger.OBSERVED}"'
"""Mark of the record of a checkpoint that nobody wrote."""


def answer(
    assistant: HookClient, seen: HookEvent, conversation: HookConversation
) -> str:
    """Return what to print, "" for nothing."""
    say = _ANSWERS.get(seen.kind)
    return say(assistant, seen, conversation) if say else ""


def _brief(
    assistant: HookClient, seen: HookEvent, conversation: HookConversation
) -> str:
    from gitmem.actions.remembering.at_hand import start_noting

    workspace = _begun(conversation)
    text = _text_of_brief(assistant, workspace, conversation)
    if seen.source not in assistant.silent_starts:
        _note_brief(workspace, conversation, text)
    start_noting(workspace)
    return assistant.brief(text) if text else ""


def _text_of_brief(
    assistant: HookClient, workspace: "Workspace", conversation: HookConversation
) -> str:
    from gitmem.actions.context.build import brief

    return brief(
        workspace,
        conversation.client_session_id,
        conversation.tool,
        is_told_again=not assistant.keeps_brief,
    ).text


def _note_brief(
    workspace: "Workspace", conversation: HookConversation, text: str
) -> None:
    from gitmem.actions.remembering.statement import PROJECT
    from gitmem.documents.kinds import MEMORY
    from gitmem.hook.telling import note_recalled

    state = f"{PROJECT}={workspace.repository.resolve_ref(MEMORY.ref) or ''}"
    note_recalled(conversation, text, Occasion.START, state=state)


def _begun(conversation: HookConversation) -> "Workspace":
    """Note what the conversation finds as it begins, and what is over."""
    from gitmem.actions.saving.hook_events import note_interrupted, note_work_tree_state
    from gitmem.hook.background import start, workspace_at

    workspace = workspace_at(conversation.place.root)
    for client in note_interrupted(workspace):
        with suppress(OSError):  # the work tree may be gone as well
            root, client_id = Path(client.root), client.client_session_id
            start(root, client_id, Trigger.OBSERVED, client.tool, client.transcript)
    client_id, tool = conversation.client_session_id, conversation.tool
    if _just_began(conversation):
        note_work_tree_state(workspace, client_id, tool)
    return workspace


def _just_began(conversation: HookConversation) -> bool:
    """Tell whether nothing happened since the start."""
    newest = last_sign(
        event
        for event in conversation.newest_events()
        if not isinstance(event, Prompt)  # some clients tell of one meanwhile
    )
    return isinstance(newest, Start) and newest.comes_first


def _call(
    assistant: HookClient, seen: HookEvent, conversation: HookConversation
) -> str:
    """Add the conversation's id, which the assistant does not know."""
    if seen.arguments.get("session_id"):
        return ""
    own_id = {"session_id": conversation.client_session_id}
    return assistant.call({**seen.arguments, **own_id})


def _nudge(
    assistant: HookClient, seen: HookEvent, conversation: HookConversation
) -> str:
    """Return a nudge once much would be lost."""
    unsaved = _unsaved(conversation.lines())
    if seen.is_answer or unsaved is None:
        return ""
    common_dir = conversation.place.common_dir
    edit_limit = setting(common_dir, NUDGE_SETTING, "--type=int")
    limit = int(edit_limit or NUDGE_AFTER)  # below 1 for never
    if limit < 1:
        return ""
    edits = count_edits(unsaved)
    if edits < limit and reads_transcripts(common_dir):
        edits += _count_unread(seen, conversation, limit - edits)
    if edits < limit:
        return ""
    text = assistant.nudge(OWN_PREFIX + _NUDGE.format(count=edits))
    if text:
        conversation.note(Nudge)
    return text


def _unsaved(lines: Iterable[str]) -> list[Event] | None:
    """Return the events since the last checkpoint; None if one of them is a nudge.

    A checkpoint of what hooks saw says nothing of what the edits mean.
    """
    unsaved = []
    for line in reversed(list(lines)):
        event = from_json(line)
        if isinstance(event, Nudge):
            return None
        if event:
            unsaved.append(event)
        elif _OF_FACTS not in line:  # a checkpoint
            break
    return unsaved


def _count_unread(seen: HookEvent, conversation: HookConversation, least: int) -> int:
    """Count the edits of a turn that ends, which only its transcript has so far."""
    from gitmem.actions.saving.live_transcript import count_unread_edits, live_folders

    events, path = events_in(conversation.lines()), seen.transcript
    folders = live_folders(conversation.place.common_dir, conversation.place.root)
    environment = current_environment()
    return count_unread_edits(environment, folders, events, least, path=path)


def _at_prompt(
    assistant: HookClient, seen: HookEvent, conversation: HookConversation
) -> str:
    """Name the tool where the user wants something remembered; tell what answers.

    The whole brief to a client that takes none when its context was shortened.
    """
    prompt = typed_words(seen.prompt)
    if seen.source and _just_began(conversation):
        _begun(conversation)
    if not assistant.keeps_brief and _has_lost_brief(assistant, conversation):
        from gitmem.hook.background import workspace_at

        workspace = workspace_at(conversation.place.root)
        text = _text_of_brief(assistant, workspace, conversation)
        _note_brief(workspace, conversation, text)
        return assistant.context(EventKind.PROMPT, text) if text else ""
    if os.environ.get(QUIET):
        return ""
    if "ocm__remember" not in prompt and asks_to_remember(prompt):
        return assistant.context(EventKind.PROMPT, _REMEMBER)
    return answer_prompt(assistant, seen, conversation)


def _has_lost_brief(assistant: HookClient, conversation: HookConversation) -> bool:
    """Whether the context was shortened since it was told the brief, or never was."""
    for event in conversation.newest_events():
        if isinstance(event, Compaction):
            return True
        if isinstance(event, Start):
            return event.source in assistant.silent_starts
        if isinstance(event, Recalled) and event.where is Occasion.START:
            return False
    return False


_ANSWERS: Mapping[
    EventKind, Callable[[HookClient, HookEvent, HookConversation], str]
] = {
    EventKind.START: _brief,
    EventKind.CALL: _call,
    EventKind.PROMPT: _at_prompt,
    EventKind.SUBAGENT: answer_prompt,
    EventKind.BEFORE_EDIT: at_file,
    EventKind.READ: at_file,
    EventKind.TURN_END: _nudge,
}
