"""What a run of the command line gives."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Ran:
    status: int
    out: str
    err: str

    @property
    def text(self) -> str:
        """The output without its colours."""
        return re.sub(r"\x1b\[[0-9;]*m", "", self.out)

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def error(self) -> dict[str, Any]:
        """What `--json` says of an error, which has to be all there is."""
        assert self.out == ""
        found: dict[str, Any] = json.loads(self.err)["error"]
        assert found.keys() == {"code", "message", "hint"}
        return found


Ocm = Callable[..., Ran]
"""Runs a command line in the repository; `stdin` is bytes."""
