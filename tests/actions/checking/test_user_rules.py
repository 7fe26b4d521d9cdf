"""`ocm doctor` says which rules of the user hold, and never what they hold."""

from pathlib import Path

from examining import Place
from ruling import HIDDEN, PATTERN, put_rule
from support import workspace_at

from gitmem.actions.doctor.finding import Grade
from gitmem.actions.doctor.redaction_rules import user_rules


def test_where_there_are_none_there_is_nothing_to_say(repository: Path) -> None:
    assert list(user_rules(workspace_at(repository))) == []


def test_each_rule_is_told_by_its_name(place: Place) -> None:
    put_rule(place.repository)
    with (place.common_dir / "config").open("a") as config:
        config.write(f'[ocm "redact.half"]\npattern = {HIDDEN}\n')
    half, ticket = user_rules(workspace_at(place.repository))
    assert (half.grade, half.about) == (Grade.PROBLEM, "ocm.redact.half")
    assert half.what.endswith("counts for nothing: it has no sample that proves it")
    assert (ticket.grade, ticket.about) == (Grade.OK, "ocm.redact.ticket")
    assert not any(told in f"{half}{ticket}" for told in (HIDDEN, PATTERN))
