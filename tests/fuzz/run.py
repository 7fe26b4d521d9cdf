"""Gives a target bytes that lead to ever more of its branches, for some seconds.

`python tests/fuzz/run.py TARGET SECONDS [SEED]`; the exit status is 0 where nothing was
found. A finding is written to `tests/fuzz/findings/TARGET/`, where the suite tries it
again each time. Needs atheris: `pip install '.[test,fuzz]'`.
"""

import hashlib
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import atheris

FINDINGS = Path(__file__).parent / "findings"
_MOST_BYTES = 20_000
_MOST_SECONDS = 10
"""That one input may take."""


def main(name: str, seconds: str, seed: str = "0") -> None:
    with atheris.instrument_imports(include=["gitmem"]):
        from fuzz.targets import TARGETS
    from fuzz.mutating import mutated

    target = TARGETS[name]
    findings = FINDINGS / name
    findings.mkdir(parents=True, exist_ok=True)
    corpus = Path(tempfile.mkdtemp(prefix="gitmem-fuzz-"))
    for data in [*target.seeds(), *map(Path.read_bytes, findings.iterdir())]:
        (corpus / hashlib.sha256(data).hexdigest()).write_bytes(data)
    options = [
        f"-max_total_time={seconds}",
        f"-seed={seed}",  # 0 is another one each time
        f"-max_len={_MOST_BYTES}",
        f"-timeout={_MOST_SECONDS}",
        f"-artifact_prefix={findings}/",
        "-print_final_stats=1",
    ]
    ways = {"custom_mutator": mutated} if target.has_lines else {}
    run = keeping_findings(target.run, findings)
    atheris.Setup([sys.argv[0], *options, str(corpus)], run, **ways)
    atheris.Fuzz()


def keeping_findings(
    run: Callable[[bytes], None], findings: Path
) -> Callable[[bytes], None]:
    """Return what keeps a finding as libFuzzer does, which an alarm may end before."""

    def run_and_keep(data: bytes) -> None:
        try:
            run(data)
        except BaseException:
            name = f"crash-{hashlib.sha1(data, usedforsecurity=False).hexdigest()}"
            (findings / name).write_bytes(data)
            raise

    return run_and_keep


if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).parents[1])
    main(*sys.argv[1:])
