"""What a prompt is told: what clearly answers the conversation, and new rules."""

import json
from pathlib import Path
from shutil import rmtree

import pytest
from hook.calls import Hear, claude, commands_for, edit, events
from hook.test_recall import keep, told
from support.rounds import every_row
from support.workspaces import saved_session, workspace_at

from gitmem.actions.saving.conversation import Caller
from gitmem.config import current_environment
from gitmem.documents.event import Occasion, Recalled
from gitmem.hook.prompt_answers import MOST_OF_CONVERSATION
from gitmem.store.known import is_anything_known

ONE = "11111111-2222-4333-8444-555555555555"
RETRY = "payments/retry.py sends the order number as idempotency key"
SAID = [
    (RETRY, "decision"),
    ("We tried COPY in load_readings and gave it up", "failed"),
    (
        "Every error carries a code that begins with BK, support looks for it",
        "convention",
    ),
    ("Termine werden immer in UTC gerechnet, Ortszeit entsteht in der Vorlage", "fact"),
]


def ask(hear: Hear, root: Path, text: str, session: str = ONE) -> str:
    return told(hear(claude("UserPromptSubmit", root, session, prompt=text)))


@pytest.fixture
def begun(repository: Path, hear: Hear) -> Path:
    hear(claude("SessionStart-startup", repository, ONE))
    return repository


@pytest.fixture
def taught(repository: Path) -> Path:
    """A repository with a few memories, which nobody was told yet."""
    for sentence, kind in SAID:
        keep(repository, sentence, kind=kind)
    return repository


@every_row(
    ("text", "said"),
    [
        ("add a retry to payments/retry.py", RETRY),
        ("send an idempotency key with each order", RETRY),
        ("can load_readings be faster?", "COPY"),
        ("give the new error a code for support", "BK"),
        ("Rechne die Termine in Ortszeit", "UTC"),
    ],
)
def test_a_prompt_is_told_what_has_its_rare_words_or_names(
    taught: Path, hear: Hear, text: str, said: str
) -> None:
    session = f"{abs(hash(text)) % 10**8:08}{ONE[8:]}"
    assert said in ask(hear, taught, text, session)


@every_row(
    "text",
    [
        "fix the error in the login form",
        "add a key to the settings page",
        "can you copy the readme into docs?",
        "what does the order of imports mean",
        "Rechne die Preise neu",
        "run the tests again",
        "continue",
    ],
)
def test_a_near_miss_is_told_nothing(taught: Path, hear: Hear, text: str) -> None:
    session = f"{abs(hash(text)) % 10**8:08}{ONE[8:]}"
    assert ask(hear, taught, text, session) == ""


def test_decisions_of_sessions_answer_and_its_open_ends_do_not(
    begun: Path, hear: Hear
) -> None:
    saved_session(
        workspace_at(begun),
        decisions=["The limiter counts per tenant in Redis"],
        blockers=["The limiter of tenants in Redis is slow"],
    )
    text = ask(hear, begun, "put the limiter of each tenant into redis")
    assert "decision: The limiter counts per tenant in Redis" in text
    assert "blocker" not in text


def test_a_task_in_other_words_meets_what_is_known_of_its_files(
    begun: Path, hear: Hear
) -> None:
    assert ask(hear, begun, "customers complain, look into it") == ""
    keep(begun, RETRY, kind="decision")
    (begun / "payments").mkdir()
    hear(edit(begun, str(begun / "payments" / "retry.py"), ONE))
    assert RETRY in ask(hear, begun, "and make it faster")
    assert ask(hear, begun, "go on") == ""


def test_the_first_prompt_is_part_of_the_question(begun: Path, hear: Hear) -> None:
    assert ask(hear, begun, "send an idempotency key with each order") == ""
    keep(begun, RETRY, kind="decision")
    assert RETRY in ask(hear, begun, "yes, do that")


def test_a_rule_of_another_process_is_told_once_at_the_next_prompt(
    begun: Path, hear: Hear
) -> None:
    assert ask(hear, begun, "draw a circle") == ""
    keep(begun, "Tabs and never spaces", kind="convention")
    keep(begun, "The cache is cold on Mondays", kind="fact")
    text = ask(hear, begun, "draw a square")
    assert "convention: Tabs and never spaces" in text
    assert "Mondays" not in text
    assert ask(hear, begun, "draw a line") == ""
    keep(begun, "Comments are in German", kind="preference")
    assert "German" in ask(hear, begun, "draw a dot")


def test_a_rule_that_the_conversation_said_itself_is_not_told(
    begun: Path, hear: Hear
) -> None:
    ask(hear, begun, "draw a circle")
    keep(begun, "Tabs and never spaces", kind="convention", source=f"session:{ONE}")
    assert ask(hear, begun, "draw a square") == ""


def test_what_the_brief_told_is_not_told_again(repository: Path, hear: Hear) -> None:
    keep(repository, RETRY, kind="constraint")
    assert RETRY in told(hear(claude("SessionStart-startup", repository, ONE)))
    assert ask(hear, repository, "send an idempotency key with each order") == ""
    (brief,) = (e for e in events(repository, ONE) if isinstance(e, Recalled))
    assert (brief.where, brief.tokens > 50) == (Occasion.START, True)


def test_the_prompts_of_a_conversation_are_told_few_statements(
    begun: Path, hear: Hear
) -> None:
    names = [f"module_{number:02}_store" for number in range(10)]
    saved_session(workspace_at(begun), decisions=[f"Let {name} be" for name in names])
    texts = [ask(hear, begun, f"look into {name}") for name in names]
    assert sum(text.count("decision: ") for text in texts) == MOST_OF_CONVERSATION


def test_where_nothing_is_known_no_index_is_opened(begun: Path, hear: Hear) -> None:
    spaces = current_environment().spaces
    assert not is_anything_known(begun / ".git", spaces)
    saved_session(workspace_at(begun), goal="Draw circles", work_completed=["Drew"])
    assert is_anything_known(begun / ".git", spaces)
    ask(hear, begun, "draw a square")
    assert not is_anything_known(begun / ".git", spaces)
    saved_session(workspace_at(begun), decisions=["Squares are red"])
    assert is_anything_known(begun / ".git", spaces)


def test_a_deleted_index_is_made_anew(begun: Path, hear: Hear) -> None:
    keep(begun, RETRY, kind="decision")
    asked = "send an idempotency key with each order"
    for number in range(2):
        assert RETRY in ask(hear, begun, asked, f"{number}{ONE[1:]}")
        rmtree(begun / ".git" / "ocm-index")


def test_a_subagent_is_told_as_it_starts_what_answers_the_task(
    begun: Path, hear: Hear
) -> None:
    ask(hear, begun, "send an idempotency key with each order")
    keep(begun, RETRY, kind="decision")
    start = claude("SubagentStart", begun, ONE)
    out = json.loads(hear(start))["hookSpecificOutput"]
    assert out["hookEventName"] == "SubagentStart"
    assert RETRY in out["additionalContext"]
    assert hear(start) == ""
    assert RETRY in told(hear(claude("SubagentStart", begun, ONE, agent_id="b2")))
    assert RETRY in ask(hear, begun, "go on")  # the caller has a context of its own
    (command,) = commands_for(start)
    assert "hook claude-code" in command


def test_what_was_corrected_is_told_as_it_is_now(begun: Path, hear: Hear) -> None:
    keep(begun, RETRY, kind="decision")
    now = "payments/retry.py does not send the order number as idempotency key any more"
    saved_session(workspace_at(begun), decisions=[now])
    text = ask(hear, begun, "send an idempotency key with each order")
    assert now in text
    assert RETRY not in text


def test_what_a_conversation_decided_is_not_told_to_itself(
    begun: Path, hear: Hear
) -> None:
    caller = Caller("claude-code")
    saved_session(workspace_at(begun), caller, session_id=ONE, decisions=[RETRY])
    asked = "send an idempotency key with each order"
    assert ask(hear, begun, asked) == ""
    assert RETRY in ask(hear, begun, asked, f"3{ONE[1:]}")
