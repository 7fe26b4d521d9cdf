"""What `ocm doctor` finds."""

from collections.abc import Mapping
from itertools import groupby
from typing import Any

from gitmem.actions.doctor.doctor import examine
from gitmem.actions.doctor.finding import Grade
from gitmem.workspace import Workspace


def values(workspace: Workspace, _: Mapping[str, str]) -> dict[str, Any]:
    findings = examine(workspace.environment)
    groups = groupby(findings, lambda finding: finding.code.group)
    return {
        "groups": [(group, [*own]) for group, own in groups],
        "bad": sum(f.grade in (Grade.PROBLEM, Grade.WARNING) for f in findings),
    }
