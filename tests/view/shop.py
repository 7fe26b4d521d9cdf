"""The memory of a small project, with something on every page."""

from datetime import datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

from support.commits import committed
from support.conversations import keep
from support.events import note, now
from support.harness import copied, git, make_repository
from support.workspaces import workspace_at

from gitmem.actions.remembering.remember import remember
from gitmem.actions.remembering.statement import parse_statement
from gitmem.documents.conversation.conversation import Speaker, Turn
from gitmem.documents.event import Occasion, Recalled
from gitmem.documents.session.checkpoint import Checkpoint
from gitmem.documents.session.record import Record
from gitmem.documents.session.session import PlanFile, Reference, Session, Status
from gitmem.git.values import Change, Commit, FileChange
from gitmem.store.trees.committing import author

RETRY = """\
def retry(order, attempts=3):
    for attempt in range(attempts):
        answer = charge(order, idempotency_key=order.id)
        if answer.is_final:
            return answer
    return show_as_pending(order)
"""
DECISION = """\
**Idempotency key over a lock:** the provider keeps it; ours would be lost with the \
process. See `shop/retry.py`."""


class Shop:
    """Times go back from `now`, as people look at it then."""

    def __init__(self, root: Path) -> None:
        self.root, self.now = root, now()
        self.workspace = workspace_at(root)

    def ago(self, **time: float) -> datetime:
        return self.now - timedelta(**time)

    def save(
        self, client: str, at: datetime, tool: str = "claude-code", **values: Any
    ) -> Session:
        checkpoint = Checkpoint(at=at, **values)
        record = Record(
            tool=tool,
            project=self.workspace.project,
            client_session_id=client,
            session_id=None,
            checkpoint=checkpoint,
        )
        store = self.workspace.store
        receipt = store.append(record)
        store.replay()
        session = store.session_of(receipt)
        assert session
        return session

    def remember(self, text: str, **values: Any) -> str:
        statement = parse_statement({"text": text, **values}, self.now)
        by = author(self.workspace.repository, self.now).who
        return remember(self.workspace, statement, f"person:{by}").memory.id


def filled_shop(folder: Path) -> Shop:
    """Return the shop, which is filled once in a process."""
    shop = Shop(copied(folder, _fill))
    shop.remember("Ada reads diffs before explanations.", kind="profile", scope="user")
    return shop


def _fill(folder: Path) -> None:
    make_repository(folder)
    git(folder, "config", "user.name", "Ada")
    git(folder, "config", "user.email", "ada@example.com")
    git(folder, "checkout", "--quiet", "-b", "fix/double-charge")
    shop = Shop(folder)
    _past(shop)
    first = committed(shop.root, "shop/retry.py", RETRY[:108] + "\n", "retry: begin")
    second = committed(
        shop.root, "shop/retry.py", RETRY, "retry: send an idempotency key"
    )
    _double_charge(shop, second)
    shop.save(
        "7c1e0f52-aa00-4000-8000-000000000001",
        shop.ago(hours=30),
        "codex",
        goal="Show a pending payment as pending, not as failed.",
        branch="fix/double-charge",
        work_completed=("Found the three places that call it failed",),
        work_pending=("Change the wording in the mail to the customer",),
        commits=(Commit(first[:12], "retry: begin"),),
        files=(FileChange("shop/mail.py", Change.CREATED),),
        status=Status.OPEN,
        parent="5b0d9a11-bb00-4000-8000-000000000000",
    )
    shop.save(
        "9d3f2a64-cc00-4000-8000-000000000002",
        shop.ago(hours=3),
        "opencode",
        goal="Speed up the catalogue page.",
        branch="feat/catalogue",
        blockers=("The staging database has no statistics",),
        work_pending=("Add an index on `products.category`",),
        questions=("May the page be a minute old?",),
        status=Status.OPEN,
    )
    _memories(shop)
    (shop.root / "shop/retry.py").write_text(RETRY + "\n\nTIMEOUT = 30\n")
    (shop.root / "shop/notes.md").write_text("Ask the provider about refunds.\n")


def _double_charge(shop: Shop, commit: str) -> None:
    client = "5b0d9a11-bb00-4000-8000-000000000000"
    shop.save(
        client,
        shop.ago(hours=52),
        goal="Charge no customer twice when the payment provider times out.",
        branch="fix/double-charge",
        work_pending=("Make retries safe", "Run against the sandbox"),
        prompts=(
            "A customer was charged twice yesterday. Find out why.",
            "Use the key of the provider, not a lock of ours.",
        ),
    )
    session = shop.save(
        client,
        shop.ago(hours=51),
        goal="Charge no customer twice when the payment provider times out.",
        branch="fix/double-charge",
        work_completed=("Made retries safe: each carries `order.id` as its key",),
        work_pending=("Run against the sandbox",),
        decisions=(DECISION,),
        tried=("A lock in Redis: it expired before the provider had answered.",),
        constraints=("The key has at most 64 characters.",),
        questions=("How long does the provider remember a key?",),
        work_summary=("The timeout of the provider is 30 seconds.",),
        files=(FileChange("shop/retry.py", Change.MODIFIED),),
        commits=(Commit(commit[:12], "retry: send an idempotency key"),),
        plan_files=(PlanFile("docs/retries.md", "How retries work"),),
        references=(Reference("https://example.com/keys", "Idempotent requests"),),
        status=Status.CLOSED,
    )
    turns = (
        ("Person", "A customer was charged twice yesterday. Find out why."),
        ("Assistant", "Both charges are for one order: the first answer timed out."),
        ("Person", "Use the key of the provider, not a lock of ours."),
        ("Assistant", "Each retry sends `order.id` as its idempotency key now."),
    )
    said = (Turn(Speaker(who), text, shop.ago(hours=52)) for who, text in turns)
    keep(shop.root, session, said)
    given: dict[str, Any] = {
        "tool": "claude-code",
        "client_session_id": client,
        "root": str(shop.root),
    }
    note(
        shop.root,
        Recalled(at=shop.ago(hours=52), where=Occasion.START, tokens=812, **given),
        Recalled(
            at=shop.ago(hours=51.5),
            where=Occasion.EDIT,
            path="shop/retry.py",
            tokens=64,
            ids=(f"{session.id}#d1",),
            **given,
        ),
    )


def _memories(shop: Shop) -> None:
    former = shop.remember("Tests need Postgres 15.", kind="constraint")
    shop.remember(
        "Tests need Postgres 16.",
        kind="constraint",
        key="test-database",
        replaces=former,
        relation="supersede",
        why="The queries use `MERGE … RETURNING`.",
        files=["shop/retry.py"],
    )
    shop.remember(
        "Every call of the provider carries an idempotency key.",
        kind="convention",
        files=["shop/retry.py"],
        pinned=True,
        facts=["The key is the id of the order."],
        tags=["payments"],
    )
    shop.remember("Prices are integers, in cents.", kind="decision", tags=["money"])


def _past(shop: Shop) -> None:
    """Days of work over a year, more of them lately."""
    chance = Random(7)
    goals = (
        "Move the mails to templates",
        "Round prices the same way everywhere",
        "Find out why the nightly export is slow",
        "Let customers change an address",
        "Upgrade the web framework",
    )
    days = sorted({int(chance.paretovariate(0.35) * 3) for _ in range(150)})
    for day in (day for day in days if day < 360):
        for number in range(chance.choice((1, 1, 2, 3))):
            shop.save(
                f"{day:08x}-{number:04x}-4000-8000-000000000000",
                shop.ago(days=day, hours=chance.randint(0, 5), minutes=7 * number + 90),
                chance.choice(("claude-code", "claude-code", "codex", "cursor")),
                goal=f"{chance.choice(goals)}.",
                branch=chance.choice(("main", "main", "feat/catalogue")),
                work_completed=("Did it, with a test",),
                files=(FileChange("shop/prices.py", Change.MODIFIED),),
                status=Status.CLOSED,
            )
