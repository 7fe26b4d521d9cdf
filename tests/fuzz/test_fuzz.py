"""Each target fuzzed for half a minute, or for as many seconds as there are rounds.

Half a minute begins with the same seed each time: the suite gives one answer, and who
asks for rounds looks for what is new.
"""

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from fuzz.targets import TARGETS
from support.rounds import rounds

RUN = Path(__file__).with_name("run.py")
FINDINGS = Path(__file__).with_name("findings")


@pytest.mark.endurance
@pytest.mark.skipif(not find_spec("atheris"), reason="atheris runs on Linux alone")
@pytest.mark.parametrize("name", TARGETS)
def test_nothing_is_found(name: str) -> None:
    known = set(FINDINGS.glob(f"{name}/*"))
    command = [sys.executable, str(RUN), name, str(rounds(35))]
    command += [] if "OCM_TEST_ROUNDS" in os.environ else ["1"]
    environment = {**os.environ, "PYTHONHASHSEED": "0"}
    done = subprocess.run(
        command, env=environment, capture_output=True, text=True, check=False
    )
    findings = set(FINDINGS.glob(f"{name}/*")) - known
    told = [*(repr(each.read_bytes()) for each in findings), done.stdout[-3000:]]
    assert done.returncode == 0, "\n".join(told)
