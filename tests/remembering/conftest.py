"""What is remembered in tests of memories, and by whom."""

from actions.conftest import workspace
from cli.conftest import ocm, terminal
from server.conftest import anyio_backend, environment

__all__ = ["anyio_backend", "environment", "ocm", "terminal", "workspace"]
