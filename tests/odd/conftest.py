"""What a life asserts is told as a test's own assertions are."""

import pytest

pytest.register_assert_rewrite("odd.life")
