"""What a hook tells the client's model, in the words that the client reads.

A brief as a conversation begins, the conversation's id in the call of our tool, and at
the end of a turn that it is time to save: in the shell where the user declined the MCP
server.
"""

import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from gitmem.assistants.assistant import HookClient, HookEvent, What
from gitmem.assistants.payload import OWN_PREFIX
from gitmem.config import NUDGE_SETTING
from gitmem.documents.event import Edit, Nudge, Prompt, Start, from_json, last_sign
from gitmem.hook.observe import Conversation

NUDGE_AFTER = 20
"""Edited files, where the setting `ocm.nudge.edits` does not say."""

_NUDGE = (
    "{count} files were edited since this session was last saved. Save with"
    " {checkpoint} what is new (done, still to be done, decisions), then finish."
)
_TOOL, _COMMAND = "ocm__checkpoint", "`ocm checkpoint` in the shell"


def answer(assistant: HookClient, seen: HookEvent, conversation: Conversation) -> str:
    """What to print; "" where there is nothing to say."""
    say = _ANSWERS.get(seen.what)
    return say(assistant, seen, conversation) if say else ""


def _brief(assistant: HookClient, _: HookEvent, conversation: Conversation) -> str:
    from gitmem.actions.context.build import brief
    from gitmem.actions.saving.git_at_start import note_found
    from gitmem.actions.saving.hook_events import note_interrupted
    from gitmem.actions.saving.live_transcript import note_handoff
    from gitmem.hook.background import complete, opened

    workspace = opened(conversation.place)
    for client in note_interrupted(workspace):
        complete(client)
    client_id, tool = conversation.client_session_id, conversation.tool
    if _just_began(conversation):
        note_found(workspace, client_id, tool)
        note_handoff(workspace, client_id, tool)
    has_tools = _has_tools(assistant, conversation)
    text = brief(workspace, client_id, tool, has_tools=has_tools).text
    return assistant.brief(text) if text else ""


def _just_began(conversation: Conversation) -> bool:
    """Whether the conversation did nothing yet since its start."""
    newest = last_sign(
        each
        for each in conversation.newest_events()
        if not isinstance(each, Prompt)  # some clients tell of one meanwhile
    )
    return isinstance(newest, Start) and newest.comes_first


def _call(assistant: HookClient, seen: HookEvent, conversation: Conversation) -> str:
    """The assistant does not know its conversation's id, unless it was told."""
    if seen.arguments.get("session_id"):
        return ""
    known = {"session_id": conversation.client_session_id}
    return assistant.call({**seen.arguments, **known})


def _nudge(assistant: HookClient, seen: HookEvent, conversation: Conversation) -> str:
    """Once, and only when much would be lost."""
    edited = _unsaved(conversation.lines())
    if seen.is_answer or not edited:
        return ""
    limit = _nudge_after(conversation.place.common_dir)
    if limit < 1 or len(edited) < limit:
        return ""
    checkpoint = _TOOL if _has_tools(assistant, conversation) else _COMMAND
    nudge = _NUDGE.format(count=len(edited), checkpoint=checkpoint)
    text = assistant.nudge(OWN_PREFIX + nudge)
    if text:
        conversation.note(Nudge)
    return text


def _unsaved(lines: Iterable[str]) -> set[str]:
    """The files edited since the last checkpoint; none if the assistant was told."""
    edited = set()
    for line in reversed(list(lines)):
        event = from_json(line)
        if event is None:  # a checkpoint
            break
        if isinstance(event, Nudge):
            return set()
        if isinstance(event, Edit):
            edited.add(event.path)
    return edited


def _nudge_after(common_dir: Path) -> int:
    """How many edited files are worth a reminder; less than 1 where none is wanted."""
    from gitmem.git.command import RefusedError, output_of_git

    setting = ["config", "--type=int", "--get", NUDGE_SETTING]
    try:
        with output_of_git(common_dir, None, setting, os.environ) as output:
            return int(output.read())
    except RefusedError:  # not set, or to no number
        return NUDGE_AFTER


def _has_tools(assistant: HookClient, conversation: Conversation) -> bool:
    place = conversation.place
    return assistant.has_tools(place.root, place.common_dir, Path.home(), os.environ)


_ANSWERS: Mapping[What, Callable[[HookClient, HookEvent, Conversation], str]] = {
    What.START: _brief,
    What.CALL: _call,
    What.TURN_END: _nudge,
}
