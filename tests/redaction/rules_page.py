"""Writes the rules into docs/privacy.md, where a test compares them.

python tests/redaction/rules_page.py
"""

import re
import sys
from itertools import groupby
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from gitmem.redaction.engine import RULES
from gitmem.redaction.labels import LABELS
from gitmem.redaction.surroundings import SURROUNDINGS

PAGE = Path(__file__).parents[2] / "docs" / "privacy.md"
BEGIN, END = "<!-- rules: generated -->", "<!-- end of rules -->"


def main() -> None:
    PAGE.write_text(with_rules(PAGE.read_text("utf-8")), "utf-8")


def with_rules(page: str) -> str:
    head, rest = page.split(BEGIN)
    return head + BEGIN + "\n" + rules() + END + rest.split(END)[1]


def rules() -> str:
    shapes: dict[str, dict[str, None]] = {}
    for rule in RULES:
        shapes.setdefault(rule.name, {})[rule.shape] = None
    around = [cell(row.sample.replace("{}", "…")) for row in SURROUNDINGS]
    return (
        "\n".join(
            [
                *(
                    "",
                    "| language | labels |",
                    "|---|---|",
                    *map(row_of_labels, languages()),
                ),
                *("", "| what stands around label and value |", "|---|"),
                *(f"| {text} |" for text in dict.fromkeys(around)),
                *("", "| rule | shape |", "|---|---|"),
                *(
                    f"| {name} | {' '.join(map(cell, found))} |"
                    for name, found in shapes.items()
                ),
                "",
            ]
        )
        + "\n"
    )


def languages() -> list[tuple[str, list[str]]]:
    rows = [re.split(r"\s{2,}", line) for line in LABELS.strip().splitlines()]
    rows.sort(key=lambda row: row[1])
    return [
        (language, [row[-1] for row in found])
        for language, found in groupby(rows, key=lambda row: row[1])
    ]


def row_of_labels(found: tuple[str, list[str]]) -> str:
    language, labels = found
    return f"| {language} | {', '.join(dict.fromkeys(labels))} |"


def cell(text: str) -> str:
    return "`" + text.replace("\n", " ⏎ ").replace("|", "\\|").replace("`", "'") + "`"


if __name__ == "__main__":
    main()
