"""`ocm checkpoint`: save a checkpoint by hand, or for a program."""

import json
import sys
from collections.abc import Iterator, Mapping
from inspect import Parameter
from uuid import uuid4

from gitmem.actions.saving.checkpoint import Saved, checkpoint_answer, save
from gitmem.actions.saving.conversation import Caller, id_by_hand, open_by_hand
from gitmem.actions.saving.request import parse_request
from gitmem.assistants.known import PERSON, running_tool
from gitmem.cli.opening import current_workspace
from gitmem.cli.options import STDIN, flag, option, session_option, text_in
from gitmem.cli.output import GOOD, ID, PATH, hint, one_line, say, say_json, say_whole
from gitmem.documents.session.fields import ARGUMENTS, FieldForm
from gitmem.errors import InvalidInput
from gitmem.text.signatures import with_parameters


def _options() -> Iterator[Parameter]:
    for name, (form, argument) in ARGUMENTS.items():
        if argument.option:
            default = option(argument.option, argument.help)
            texts = str if form is FieldForm.TEXT else list[str]
            yield Parameter(
                name, Parameter.KEYWORD_ONLY, default=default, annotation=texts | None
            )


@with_parameters(_options())
def checkpoint(
    *,
    input_file: str | None = option(
        "--input FILE", "All of it as the MCP tool takes it, as JSON; - is stdin."
    ),
    session_id: str | None = session_option(
        "The one to add to; without it your own open one, or a new one."
    ),
    is_new: bool = flag("--new", "Begin a session, though one of yours is open."),
    slug: str | None = option(
        "--slug WORDS", "Up to four for its id, such as tei-migration."
    ),
    status: str | None = option(
        "--status STATUS",
        "open, frozen or closed.",
        values=("open", "frozen", "closed"),
    ),
    **values: str | list[str] | None,
) -> None:
    """Save a checkpoint of a session.

    What is new is added to the session. All --todo together replace what is left to do,
    and so do --blocker and --question; an empty one says that none is left. Options
    that list something may be given several times.

    At a terminal it goes on with the session that you began there on this branch, if
    that was saved within twelve hours; another --slug begins another. Elsewhere, as in
    a script, it begins one, and in the shell of an assistant it is saved to its
    conversation.
    """
    options = {**values, "session_id": session_id, "slug": slug, "status": status}
    given_options = {
        n: value for n, value in options.items() if value not in (None, [])
    }
    arguments = _checked(given_options, input_file, is_new=is_new)
    workspace = current_workspace()
    tool = running_tool(workspace.environment.variables)
    is_by_hand = tool == PERSON and input_file is None and _is_on_a_terminal()
    new_id = id_by_hand() if is_by_hand else str(uuid4())
    if is_new:
        arguments = {**arguments, "client_session_id": new_id}
    request = parse_request(arguments)
    may_go_on = is_by_hand and not (session_id or is_new)
    current = open_by_hand(workspace, request.slug) if may_go_on else None
    client_id = current.client_session_id if current else new_id
    caller = Caller(tool=tool, own_conversation=client_id if is_by_hand else None)
    saved = save(workspace, request, caller)
    say_json(checkpoint_answer(saved))
    _say(saved)
    if current:
        hint("It goes on with your open session; --new begins another.")


def _checked(
    arguments: Mapping[str, object], input_file: str | None, *, is_new: bool
) -> Mapping[str, object]:
    """Return the arguments of the checkpoint. Raises InvalidInput."""
    if not str(arguments.get("session_id", "last")).strip():
        raise InvalidInput("--session is empty; leave it out to begin a session.")
    if input_file is not None and arguments:
        raise InvalidInput("--input cannot be combined with other options.")
    if is_new and "session_id" in arguments:
        raise InvalidInput("--new and --session cannot be combined.")
    return arguments if input_file is None else _arguments_in(input_file)


def _is_on_a_terminal() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty()


def _say(saved: Saved) -> None:
    if saved.session_id is None:
        say("Nothing was saved: a session begins with a goal, a to-do or a note.")
    else:
        say(("saved ", GOOD), (saved.session_id, ID))
        say_whole((str(saved.markdown_path or ""), PATH))
        if saved.notice:
            hint(one_line(saved.notice))


def _arguments_in(file: str) -> Mapping[str, object]:
    name = "standard input" if file == STDIN else file
    try:
        value = json.loads(text_in(file))
    except OSError as error:
        raise InvalidInput(f"Cannot read {name}: {error.strerror}.") from error
    except (ValueError, RecursionError) as error:  # UTF-8 is a part of JSON
        raise InvalidInput(f"{name} is not JSON: {error}.") from error
    if not isinstance(value, dict):
        raise InvalidInput(
            f"The JSON in {name} must be an object, not a {type(value).__name__}.",
            hint='For example: {"goal": "Move the embeddings to TEI"}',
        )
    return value
