"""Refspecs, as git-fetch(1) has them: which ref there becomes which ref here."""

from collections.abc import Iterable


def sources_of(refspecs: Iterable[str], ref: str) -> list[str]:
    """What is written to `ref` by these refspecs."""
    specs = list(refspecs)
    found = _mapped(specs, ref)
    excluded = [each[1:] for each in specs if each.startswith("^")]
    return [s for s in found if all(_middle(no, s) is None for no in excluded)]


def are_excluded(refspecs: Iterable[str], ref: str) -> bool:
    """Whether nothing is written to `ref` only because negative refspecs say so."""
    specs = list(refspecs)
    return bool(_mapped(specs, ref)) and not sources_of(specs, ref)


def _mapped(specs: list[str], ref: str) -> list[str]:
    """What positive refspecs write to `ref`."""
    found = []
    for each in specs:
        source, _, target = each.lstrip("+").partition(":")
        middle = _middle(target, ref)
        if middle is not None and not each.startswith("^"):
            found.append(source.replace("*", middle))
    return found


def _middle(pattern: str, ref: str) -> str | None:
    """What stands where the pattern has its `*`; None where the ref does not fit."""
    before, star, after = pattern.partition("*")
    if not star:
        return "" if ref == pattern else None
    fits = ref.startswith(before) and ref.endswith(after)
    if not fits or len(ref) < len(before) + len(after):
        return None
    return ref[len(before) : len(ref) - len(after)]
