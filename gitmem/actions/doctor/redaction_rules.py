"""What `ocm doctor` has to say of the user's own rules for secrets."""

from collections.abc import Iterator

from gitmem.actions.doctor.finding import Code, Finding, Grade
from gitmem.redaction.user_rules import SECTION, problems
from gitmem.workspace import Workspace

_MEND = "Mend the setting; what was saved meanwhile `ocm scan` finds then."


def user_rules(workspace: Workspace) -> Iterator[Finding]:
    """Nothing where there are none. What the settings hold is not told."""
    settings = workspace.user_rules()
    why = {problem.name: problem.what for problem in problems(settings)}
    for setting in settings:
        about = f"{SECTION}{setting.name}"
        if what := why.get(setting.name):
            yield Finding(
                code=Code.SETTING,
                grade=Grade.PROBLEM,
                about=about,
                what=f"the rule {about} counts for nothing: {what}",
                mend=_MEND,
            )
        else:
            what = f"the rule {about} finds its samples"
            yield Finding(code=Code.SETTING, about=about, what=what)
