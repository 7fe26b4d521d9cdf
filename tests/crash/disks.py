"""Disks of a test's own: small ones that fill up, and ones whose power fails."""

import fcntl
import os
import struct
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

_SHUTDOWN = 0x8004587D
"""FS_IOC_SHUTDOWN of linux/fs.h; for ext4 also EXT4_IOC_SHUTDOWN."""
_WITHOUT_FLUSHING = 2
"""EXT4_GOING_FLAGS_NOLOGFLUSH: what the disk does not have by now, it never gets."""


@dataclass(frozen=True, slots=True)
class SmallDisk:
    folder: Path

    @contextmanager
    def filled(self, left: int) -> Iterator[None]:
        """Leave so many bytes, in whole pages."""
        ballast = self.folder / "ballast"
        with ballast.open("wb") as file:
            file.write(bytes(max(0, self._free - left)))
        try:
            yield
        finally:
            ballast.unlink()

    @property
    def _free(self) -> int:
        stat = os.statvfs(self.folder)
        return stat.f_bavail * stat.f_frsize


@contextmanager
def small_disk(folder: Path, megabytes: int = 24) -> Iterator[SmallDisk]:
    """Skips the test where nothing can be mounted."""
    folder.mkdir()
    _mount("-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", str(folder))
    try:
        yield SmallDisk(folder)
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


@dataclass(frozen=True, slots=True)
class FailingDisk:
    """A disk of its own with ext4, with the mount options that are usual."""

    image: Path
    folder: Path

    def cut_after(self, seconds: float) -> threading.Timer:
        """Have its power fail; the timer is running."""
        timer = threading.Timer(seconds, self._cut)
        timer.start()
        return timer

    def come_back(self) -> None:
        """What a machine does as it starts: ext4 replays its own journal."""
        subprocess.run(["umount", str(self.folder)], check=True)
        self.mount()

    def mount(self) -> None:
        _mount("-o", "loop", str(self.image), str(self.folder))

    def _cut(self) -> None:
        root = os.open(self.folder, os.O_RDONLY)
        try:
            fcntl.ioctl(root, _SHUTDOWN, struct.pack("I", _WITHOUT_FLUSHING))
        finally:
            os.close(root)


@contextmanager
def failing_disk(place: Path, megabytes: int = 200) -> Iterator[FailingDisk]:
    """A fresh one: of an image that was used before, former blocks would come back."""
    place.mkdir()
    disk = FailingDisk(place / "image", place / "disk")
    disk.folder.mkdir()
    with disk.image.open("wb") as file:
        file.truncate(megabytes * 1_000_000)
    subprocess.run(["mkfs.ext4", "-q", "-F", str(disk.image)], check=True)
    disk.mount()
    try:
        yield disk
    finally:
        subprocess.run(["umount", "--lazy", str(disk.folder)], check=True)
        disk.image.unlink()


@contextmanager
def mounted_read_only(folder: Path) -> Iterator[None]:
    """Skips the test where nothing can be mounted."""
    _mount("--bind", str(folder), str(folder))
    try:
        _mount("-o", "remount,bind,ro", str(folder))
        yield
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def _mount(*arguments: str) -> None:
    done = subprocess.run(
        ["mount", *arguments], check=False, capture_output=True, text=True
    )
    if done.returncode != 0:
        pytest.skip(f"nothing can be mounted here: {done.stderr.strip()}")
