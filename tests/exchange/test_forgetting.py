"""What was forgotten in one clone is gone in all, whatever they called it."""

from pathlib import Path

from exchange.clones import forget, make_clones
from syncing import travel

CLIENT = "0a1b2c3d-4e5f-4000-8000-000000000000"


def test_what_was_said_goes_where_a_clone_gave_its_session_another_name(
    tmp_path: Path,
) -> None:
    here, there = clones = make_clones(tmp_path, 2, said=True)
    here.adopt(CLIENT, "Please look at it")
    for clone in clones:
        travel(clone.workspace())
    there.checkpoint(CLIENT, slug="named-there")
    there.adopt(CLIENT, "Please look at it, and at what is beside it")
    forget(here.workspace(), here.sessions_of(CLIENT), from_history=False)
    for clone in (*clones, *clones):
        travel(clone.workspace())
    assert here.texts() == there.texts() == ("", "")
