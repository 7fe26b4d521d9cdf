"""A memory in which every text tries to run a script or to load something."""

from pathlib import Path

from support.commits import committed
from support.conversations import keep
from support.events import note
from support.harness import git, make_repository
from view.shop import Shop

from gitmem.documents.conversation.conversation import Speaker, Turn
from gitmem.documents.event import Occasion, Recalled
from gitmem.documents.session.session import PlanFile, Reference, Status
from gitmem.git.values import Change, Commit, FileChange

HOSTILE = (
    "\"'><script>window.hacked=1</script><img src=x onerror=window.hacked=1>"
    "{{7*7}}{% raw %}[x](javascript:window.hacked=1)![i](https://evil.example/hacked)"
    "<svg/onload=window.hacked=1>&lt;script&gt;\u202ereversed\x1b[31m</textarea>"
    "</style><style>*{display:none}</style>"
)
FILE = "<img src=x onerror=hacked()>.py"


def hostile_memory(root: Path) -> tuple[Path, str]:
    """Return the repository, and the id of its memory."""
    make_repository(root)
    git(root, "config", "user.name", "<script>window.hacked=1</script>")
    git(root, "config", "user.email", "hacked@example.com")
    git(root, "checkout", "--quiet", "-b", "hacked/<img-src=x-onerror=hacked()>")
    for setting in ("remote.origin.url", "ocm.remoteUrl"):
        git(root, "config", setting, "https://example.com/<img src=x onerror=hacked()>")
    git(root, "config", "ocm.remote", "origin")
    shop = Shop(root)
    commit = committed(root, FILE, f"{HOSTILE}\n", HOSTILE)
    client = "<img-src=x-onerror=hacked()>"
    one, texts = (HOSTILE,), (HOSTILE, f"{HOSTILE} again")
    sessions = [
        shop.save(
            f"{client}{number}" if parent else client,
            shop.ago(hours=3 - number),
            "hacked" if number else "codex",
            goal=HOSTILE,
            branch=git(root, "branch", "--show-current"),
            prompts=texts,
            work_completed=one,
            work_pending=one,
            work_summary=one,
            decisions=(f"{HOSTILE} {FILE}",),
            tried=one,
            constraints=one,
            blockers=one,
            questions=one,
            files=(FileChange(FILE, Change.CREATED),),
            commits=(Commit(commit[:12], HOSTILE),),
            plan_files=(PlanFile(FILE, HOSTILE),),
            references=(
                Reference("javascript:window.hacked=1", HOSTILE),
                Reference(f"https://example.com/{HOSTILE}", HOSTILE),
            ),
            diff_summary=HOSTILE,
            last_answer=HOSTILE,
            client_summary=f"# {HOSTILE}\n\n<script>window.hacked=1</script>",
            status=Status.OPEN,
            parent=parent,
        )
        for number, parent in enumerate(("", client))
    ]
    keep(root, sessions[-1], (Turn(speaker, HOSTILE, shop.now) for speaker in Speaker))
    memory = shop.remember(
        HOSTILE,
        why=HOSTILE,
        facts=[HOSTILE],
        tags=["<img/src=x/onerror=hacked()>"],
        key="<img-src=x-onerror=hacked()>",
        files=[FILE],
    )
    told = Recalled(
        at=shop.now,
        tool="codex",
        client_session_id=client,
        root=str(root),
        where=Occasion.EDIT,
        path=FILE,
        ids=(memory, "<img src=x onerror=hacked()>"),
        tokens=7,
    )
    note(root, told)
    (root / "<img src=y onerror=hacked()>.md").write_text(HOSTILE)
    return root, memory
