"""Each target fuzzed for a minute, or for as many seconds as there are rounds to be."""

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from fuzz.targets import TARGETS
from rounds import rounds

RUN = Path(__file__).with_name("run.py")


@pytest.mark.endurance
@pytest.mark.skipif(not find_spec("atheris"), reason="atheris runs on Linux alone")
@pytest.mark.parametrize("name", TARGETS)
def test_nothing_is_found(name: str) -> None:
    command = [sys.executable, str(RUN), name, str(rounds(60))]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
