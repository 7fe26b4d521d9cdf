"""Writes the rules into docs/privacy.md, where a test compares them.

python tests/redaction/rules_page.py
"""

import re
import sys
from collections.abc import Iterable
from pathlib import Path
from textwrap import fill

sys.path.insert(0, str(Path(__file__).parents[2]))

from gitmem.redaction.engine import RULES
from gitmem.redaction.prose.labels import LABELS

PAGE = Path(__file__).parents[2] / "docs" / "privacy.md"
BEGIN, END = "<!-- rules: generated -->", "<!-- end of rules -->"


def main() -> None:
    PAGE.write_text(with_rules(PAGE.read_text("utf-8")), "utf-8")


def with_rules(page: str) -> str:
    head, rest = page.split(BEGIN)
    lines = ["", _listed("Languages", _languages()), "", _listed("Rules", _names()), ""]
    return "\n".join([head + BEGIN, *lines, END + rest.split(END)[1]])


def _listed(title: str, names: Iterable[str]) -> str:
    text = f"{title}: {', '.join(sorted(set(names)))}."
    return fill(text, 100, break_on_hyphens=False)


def _languages() -> Iterable[str]:
    return (re.split(r"\s{2,}", line)[1] for line in LABELS.strip().splitlines())


def _names() -> Iterable[str]:
    return (rule.name for rule in RULES)


if __name__ == "__main__":
    main()
