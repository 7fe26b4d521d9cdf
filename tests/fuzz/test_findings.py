"""What was found once stays mended; the same properties, tried with hypothesis."""

from pathlib import Path

from fuzz.targets import TARGETS
from support.rounds import every_row

FINDINGS = Path(__file__).parent / "findings"


@every_row("name", TARGETS)
def test_what_is_usual_and_what_was_found_holds(name: str) -> None:
    target = TARGETS[name]
    found = sorted(each for each in FINDINGS.glob(f"{name}/*") if each.is_file())
    for data in [*target.seeds(), *(each.read_bytes() for each in found)]:
        target.run(data)
