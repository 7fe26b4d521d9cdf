"""What git says is told as an error that a person can act on."""

from gitmem.errors import NoPermission
from gitmem.git.command import RefusedError
from gitmem.git.failures import explained


def test_a_pack_that_found_no_room_is_no_damage() -> None:
    words = "fatal: sha1 file 'objects/pack/tmp_idx_a1' write error. Out of diskspace"
    error = explained("the object database", RefusedError(words, 128))
    assert isinstance(error, NoPermission)
    assert "the disk full" in (error.hint or "")
