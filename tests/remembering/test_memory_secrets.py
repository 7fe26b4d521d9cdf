"""No secret is stored by remembering, whatever argument it comes in."""

from pathlib import Path
from typing import Any

import pytest
from redaction.labelled_texts import TELLTALES, everywhere
from redaction.test_secrets import SAMPLES, Chance
from remembering.saying import found, say
from support.user_rule import HIDDEN, MARK, places_of, put_rule
from support.workspaces import workspace_at

from gitmem.errors import GitmemError
from gitmem.workspace import Workspace

TOKEN = "ghp_" + "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dF3hJ5"  # made up


def test_every_shape_of_secret_is_left_out(
    workspace: Workspace, repository: Path
) -> None:
    samples = [sample(Chance(7)) for sample in SAMPLES.values()]
    for start in range(0, len(samples), 50):
        some = [text for text, _ in samples[start : start + 50]]
        say(workspace, "These came up:\n" + "\n\n".join(some[:25]), facts=some)
    assert len(found(workspace)) == -(-len(samples) // 50)
    assert places_of(repository, *(hidden for _, hidden in samples)) == []


def test_what_a_label_announces_is_left_out(
    workspace: Workspace, repository: Path
) -> None:
    labelled = everywhere()[::5]  # the redaction tests try each
    for start in range(0, len(labelled), 50):
        say(workspace, f"Part {start} of the labels.", facts=labelled[start:][:50])
    assert places_of(repository, *TELLTALES) == []


def test_no_argument_lets_one_through(workspace: Workspace, repository: Path) -> None:
    told = f"see {TOKEN}"
    given: dict[str, Any] = {name: [told] for name in ("facts", "tags", "files")}
    say(workspace, f"The server asks who calls: {told}", why=told, key=told, **given)
    for name in ("kind", "scope", "expires", "replaces", "relation"):
        with pytest.raises(GitmemError):
            say(workspace, "The server asks who calls.", **{name: TOKEN})
    assert len(found(workspace, f"server {TOKEN}")) == 1
    assert places_of(repository, TOKEN) == []


def test_a_rule_of_the_user_counts(repository: Path) -> None:
    put_rule(repository)
    workspace = workspace_at(repository)
    say(workspace, f"The ticket is {HIDDEN}.", why=HIDDEN)
    (kept,) = found(workspace, "ticket")
    assert (kept.memory.text, kept.memory.why) == (f"The ticket is {MARK}.", MARK)
    assert places_of(repository, HIDDEN) == []
