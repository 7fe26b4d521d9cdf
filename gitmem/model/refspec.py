"""Refspecs, as git-fetch(1) has them: which ref there becomes which ref here."""

from collections.abc import Iterable


def source_of(refspecs: Iterable[str], ref: str) -> str | None:
    """What is written to `ref` by these refspecs; None where nothing is."""
    specs = list(refspecs)
    excluded = [each[1:] for each in specs if each.startswith("^")]
    for each in specs:
        source, _, target = each.lstrip("+").partition(":")
        middle = _middle(target, ref)
        if middle is not None and not each.startswith("^"):
            found = source.replace("*", middle)
            if not any(_middle(no, found) is not None for no in excluded):
                return found
    return None


def _middle(pattern: str, ref: str) -> str | None:
    """What stands where the pattern has its `*`; None where the ref does not fit."""
    before, star, after = pattern.partition("*")
    if not star:
        return "" if ref == pattern else None
    fits = ref.startswith(before) and ref.endswith(after)
    if not fits or len(ref) < len(before) + len(after):
        return None
    return ref[len(before) : len(ref) - len(after)]
