from dataclasses import replace
from pathlib import Path

from cli.running import Ocm
from support.events import event, note, now

from gitmem.documents.event import Occasion, Recalled


def saved(ocm: Ocm, goal: str, *more: str) -> str:
    ran = ocm("checkpoint", "--json", "--goal", goal, *more)
    return str(ran.json["session_id"])


def test_it_prints_the_text_and_its_cost(ocm: Ocm) -> None:
    session = saved(ocm, "Retry failed payments", "--todo", "write the tests")
    ran = ocm("context", "payments", "retried", "--file", "no.py")
    made = ocm("context", "payments", "retried", "--file", "no.py", "--json").json
    assert list(made) == ["notice", "text", "tokens", "items", "left_out"]
    assert ran.out == made["text"]
    assert ran.err == f"About {made['tokens']} tokens of 1,200.\n"
    assert made["notice"] == "Not in the repository: no.py."
    (item,) = made["items"]
    assert list(item) == ["id", "kind", "why", "tokens"]
    assert (item["kind"], item["why"]) == ("session", "state")
    assert ocm("show", item["id"], "--json").json["session_id"] == session


def test_parts_can_be_asked_for_alone(ocm: Ocm) -> None:
    first, last = (saved(ocm, f"Retry {name}") for name in ("payments", "mails"))
    ocm("remember", "Never log card numbers", "--kind", "constraint")
    state = ocm("context", "--state", "--json").json["items"]
    assert {item["why"] for item in state} == {"state"}
    ran = ocm("context", "--timeline", "--around", first)
    assert [first in ran.out, last in ran.out, "card" in ran.out] == [True, True, False]


def test_what_a_conversation_was_told_is_listed(ocm: Ocm, repository: Path) -> None:
    session = saved(ocm, "Retry failed payments")
    client = ocm("list", "--all", "--json").json[0]["client_session_id"]
    assert "told nothing" in ocm("context", "--log").err
    told = event(Recalled, client=client, at=now(), ids=("m-1@2",), tokens=30)
    note(repository, replace(told, where=Occasion.READ, path="a.py"))
    for name in ((), (session,)):
        ran = ocm("context", "--log", *name)
        assert "read a.py, 30 tokens" in ran.out
        assert "m-1" in ran.out
    (row,) = ocm("context", "--log", "--json").json
    assert (row["where"], row["ids"], row["touched"]) == ("read", ["m-1"], [])
