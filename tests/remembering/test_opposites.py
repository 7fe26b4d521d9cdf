"""Statements of which one denies, turns around or corrects the other."""

from typing import Any

import pytest
from cli.running import Ocm
from remembering.saying import found, say, texts
from support.rounds import every_row

from gitmem.documents.memory.memory import Category, ids_of
from gitmem.search.likeness import opposes, says_same
from gitmem.workspace import Workspace

OPPOSITES = [
    ("Use tabs for indentation.", "Do not use tabs for indentation."),
    ("Retries are safe for refunds.", "Retries aren't safe for refunds."),
    ("Turn caching on in CI.", "Turn caching off in CI."),
    ("Migrate from MySQL to Postgres.", "Migrate from Postgres to MySQL."),
    ("We migrate from MySQL to Postgres.", "From Postgres to MySQL we migrate."),
    ("Prefer tabs over spaces.", "Over tabs, prefer spaces."),
    ("Run lint before tests.", "Run tests before lint."),
    ("Use spaces, not tabs.", "Use tabs, not spaces."),
    ("Alert if latency > 200 ms.", "Alert if latency < 200 ms."),
    (
        "Redis is the cache, Postgres the store.",
        "Postgres is the cache, Redis the store.",
    ),
    ("Verwende Tabs im Code.", "Verwende keine Tabs im Code."),
    ("Tabs vor Leerzeichen bevorzugen.", "Leerzeichen vor Tabs bevorzugen."),
    ("Utilisez des tabulations.", "N'utilisez pas de tabulations."),
    ("Migrer de MySQL à Postgres.", "Migrer de Postgres à MySQL."),
    ("Usa tabuladores en el código.", "No uses tabuladores en el código."),
    ("Migrar de MySQL a Postgres.", "Migrar de Postgres a MySQL."),
    ("Usare i tab nel codice.", "Non usare i tab nel codice."),
    ("Use tabulações no código.", "Não use tabulações no código."),
    ("Gebruik tabs in de code.", "Gebruik geen tabs in de code."),
    ("Используйте табы в коде.", "Не используйте табы в коде."),
    ("Табы вместо пробелов.", "Пробелы вместо табов."),
    ("代码使用制表符。", "代码不使用制表符。"),
    ("从 MySQL 迁移到 Postgres。", "从 Postgres 迁移到 MySQL。"),
    ("コードではタブを使用する。", "コードではタブを使用しない。"),
    ("MySQL から Postgres へ移行する。", "Postgres から MySQL へ移行する。"),
    ("코드에서 탭을 사용한다.", "코드에서 탭을 사용하지 않는다."),
    ("MySQL 에서 Postgres 로 이전한다.", "Postgres 에서 MySQL 로 이전한다."),
]
RESTATED = [
    ("Use tabs for indentation.", "For the indentation, please use tabs!"),
    ("Do not use tabs.", "Please don't use the tabs."),
    ("Never commit generated files.", "Generated files are never committed."),
    ("Turn caching off.", "Turn off caching."),
    ("Prefer tabs over spaces.", "Over spaces, prefer tabs."),
    ("Lint with ruff, mypy and black.", "Lint with black, mypy, and ruff."),
    ("The linter is ruff.", "Ruff is the linter."),
    ("Avoid tabs.", "Do not use tabs."),
    ("Der Build dauert zehn Minuten.", "Zehn Minuten dauert der Build."),
    ("Bitte keine Tabs verwenden.", "Keine Tabs verwenden."),
    ("Veuillez utiliser des tabulations.", "Utiliser les tabulations."),
    ("Por favor, usa los tabuladores.", "Usa tabuladores."),
    ("Per favore usa i tab.", "Usa i tab."),
    ("Тестам нужен Node 22.", "Node 22 нужен тестам."),
    ("请使用制表符。", "使用制表符。"),
    ("タブを使用してください。", "タブを使用して"),
    ("탭을 사용한다.", "탭을 사용합니다."),
]


@every_row(("one", "other"), OPPOSITES)
def test_opposites_are_not_the_same(one: str, other: str) -> None:
    assert not says_same(one, other)
    assert not says_same(other, one)


def test_most_opposites_are_known_for_that() -> None:
    unknown = [pair for pair in OPPOSITES if not opposes(*pair)]
    assert len(unknown) <= 2, unknown


@every_row(("one", "other"), RESTATED)
def test_what_is_said_in_other_words_is_the_same(one: str, other: str) -> None:
    assert says_same(one, other)
    assert says_same(other, one)
    assert not opposes(one, other)


def test_symbols_tell_statements_apart() -> None:
    for one, other in (("a < b", "a > b"), ("x is -1", "x is 1"), ("C++ it", "C# it")):
        assert next(ids_of(one, "")) != next(ids_of(other, ""))


@pytest.mark.parametrize("kind", [*Category])
def test_an_opposite_is_never_merged(workspace: Workspace, kind: Category) -> None:
    known = say(workspace, "Ada uses tabs in Go.", kind=kind).memory
    kept = say(workspace, "Ada does not use tabs in Go.", kind=kind)
    (like,) = kept.similar
    assert like.proposal in ("contradict", "supersede")
    both = [hit.memory.id for hit in found(workspace, "tabs in Go")]
    assert both == [kept.memory.id, known.id]


def test_both_are_shown_and_the_older_one_is_past(ocm: Ocm) -> None:
    for text in ("Use tabs here.", "Do not use tabs here.", "Use tabs here."):
        ocm("remember", text)
    first, second = ocm("recall", "tabs", "--json").json["result"]
    assert (first["text"], "corrected" in first) == ("Use tabs here.", False)
    assert second["corrected"].endswith("; now: Use tabs here.)")
    assert "now: Use tabs here.)" in ocm("recall", "tabs").text
    assert ocm("memories", "--duplicates", "--yes").status == 0
    assert len(ocm("recall", "tabs", "--json").json["result"]) == 2


def test_a_session_corrects_a_memory_that_answers_alone(ocm: Ocm) -> None:
    ocm("remember", "Invoices are cached in Redis by pay/cache.py.")
    decided = (
        "cache.py: we went back to a dictionary, no longer caching invoices there."
    )
    ocm("checkpoint", "--goal", "Simplify", "--decision", decided)
    (hit,) = ocm("recall", "Redis", "--json").json["result"]
    assert "went back to a dictionary" in hit["corrected"]


def test_a_replacement_has_what_it_does_not_say(workspace: Workspace) -> None:
    given: dict[str, Any] = {
        "kind": "convention",
        "key": "indent",
        "files": ["file.txt"],
    }
    old = say(workspace, "Use tabs.", **given, scope="user").memory
    new = say(workspace, "Use two spaces.", replaces=old.id)
    assert (new.action, new.memory.kind, new.memory.key) == (
        "superseded", Category.CONVENTION, "indent"
    )  # fmt: skip
    assert texts(workspace, scope="user") == ["Use two spaces."]
    fact = say(workspace, "Indent by four.", replaces=new.memory.id, kind="fact").memory
    assert (fact.kind, fact.key) == (Category.FACT, "indent")
