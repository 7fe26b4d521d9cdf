"""`ocm backup`, `export --all` and `import bundle`: copies of the whole memory."""

from collections import Counter
from os.path import realpath
from pathlib import Path
from shlex import join
from shutil import which

from gitmem.actions.backup import export
from gitmem.actions.backup import import_file as action
from gitmem.actions.backup.other_memories import take_over
from gitmem.actions.sharing.sync_report import as_json
from gitmem.cli import output
from gitmem.cli.opening import current_workspace
from gitmem.cli.options import option
from gitmem.cli.output import FAINT, GOOD, PATH, WARNING
from gitmem.cli.sharing.notices import say_report
from gitmem.errors import InvalidInput
from gitmem.text.counting import counted
from gitmem.workspace import Workspace


def backup(
    to: Path = option("--to FOLDER", "Where the bundles are.", ...),
    keep: int = option("--keep N", "How many of them stay.", 30, min=1),
) -> None:
    """Write a bundle of the memory; delete older ones.

    It is verified before. Only what this command wrote of this repository is deleted.
    """
    workspace = current_workspace()
    folder = Path(realpath(workspace.environment.start / to))  # also of a loop
    done = export.back_up(workspace, folder, keep)
    output.say_json({"file": done.file, "dropped": done.dropped})
    output.say_whole(("wrote ", GOOD), (str(done.file), PATH))
    if done.dropped:
        output.say(f"Deleted: {counted(len(done.dropped), 'older backup')}.")
    if output.is_terminal():
        program = which("ocm") or "ocm"  # cron has a PATH of its own
        command = [program, "backup", "--to", str(folder), "--keep", str(keep)]
        line = f"0 3 * * * cd {join([str(workspace.root)])} && {join(command)}"
        escaped_line = line.replace("%", "\\%")
        output.hint(f"Every night, by cron: {escaped_line}")


def export_all(workspace: Workspace, file: Path) -> None:
    """Write the memory to a file, and say that conversations are inside."""
    folder = Path(realpath(workspace.environment.start / file.parent))
    file = folder / file.name  # what is there is replaced, also a link
    counts = export.export_all(workspace, file)
    output.say_json({"file": file, **counts})
    output.say_whole(("wrote ", GOOD), (str(file), PATH))
    if conversations := counts["conversations"]:
        output.note(
            ("note: ", WARNING),
            f"what was said is inside, too: {counted(conversations, 'conversation')}.",
        )


def import_file(
    form: str, paths: list[Path], project: str | None, *, dry: bool
) -> None:
    """Merge a bundle or a file of JSON lines."""
    if len(paths) != 1:
        raise InvalidInput(f"`ocm import {form}` takes one file.")
    workspace = current_workspace()
    file = workspace.environment.start / paths[0]
    report = action.import_file(workspace, form, file, project, is_dry=dry)
    output.say_json(as_json(report))
    say_report(report)
    if form == "bundle" and report.arrived and not dry:
        output.hint("A bundle comes as it is: `ocm scan` looks for secrets in it.")


def import_memories(
    program: str, paths: list[Path], project: str | None, *, dry: bool
) -> None:
    """Remember what another program keeps of this project."""
    workspace = current_workspace()
    outcomes = take_over(workspace, program, paths, project, is_dry=dry)
    rows = [{"text": text, "outcome": fate} for fate, text in outcomes]
    output.say_json({"memories": rows, "dry_run": dry})
    for fate, text in outcomes if dry else ():
        output.say((f"{fate}  ", FAINT), output.one_line(text), hang=4)
    counts = Counter(fate.value for fate, _ in outcomes)
    if outcomes:
        parts = (f"{count:,} {fate}" for fate, count in counts.items())
        output.say(f"Memories of {program}: {', '.join(parts)}.")
    else:
        output.say(f"{program} has nothing of this project; --project names another.")
