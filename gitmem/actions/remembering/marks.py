"""What is put beside a statement that may no longer hold."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from gitmem.actions.remembering.corrections import Claim, corrections, near_claims
from gitmem.documents.memory.memory import RULES
from gitmem.documents.session.fields import KINDS
from gitmem.documents.session.session import Session
from gitmem.text.markdown import harmless_line

if TYPE_CHECKING:
    from gitmem.search.index import Index
    from gitmem.workspace import Workspace

_MARK_LENGTH = 160


def corrected_mark(correction: Claim) -> str:
    """Return what is put behind a statement that was corrected."""
    text = harmless_line(correction.title, _MARK_LENGTH)
    return f"(until {correction.at.date()}; now: {text})"


def earlier_mark(claim: Claim) -> str:
    """Return what stands before a statement beside a newer one about the same file."""
    return f"({claim.at.date()}, past where newer ones differ)"


def marked_texts(
    claims: Sequence[Claim],
    workspace: "Workspace | None" = None,
    index: "Index | None" = None,
) -> dict[str, str]:
    """Return each text that may no longer hold, with what holds now before it.

    Only the claims correct each other, without an index.
    """
    texts = (claim.text for claim in claims)
    near = near_claims(workspace, index, texts) if workspace and index else ()
    newer = corrections([*near, *claims])
    marks = {claim.reference: earlier_mark(claim) for claim in _earlier(claims)}
    marks |= {reference: corrected_mark(claim) for reference, claim in newer.items()}
    return {
        claim.text: f"{marks[claim.reference]} {claim.text}"
        for claim in claims
        if claim.reference in marks
    }


def with_marks(session: Session, past: Mapping[str, str]) -> Session:
    """Return a session whose statements that no longer hold say so."""
    lists: dict[str, Any] = {
        name: tuple(past.get(text, text) for text in getattr(session, name))
        for name in KINDS
    }
    return replace(session, **lists)


def _earlier(claims: Iterable[Claim]) -> Iterator[Claim]:
    """Yield the rules, and what is no rule, with a newer one about the same name."""
    newest: dict[tuple[bool, str], str] = {}
    trusted = (claim for claim in claims if claim.is_trusted)
    for claim in sorted(trusted, key=lambda claim: claim.order, reverse=True):
        names = [(claim.kind in RULES, name) for name in claim.file_names]
        about_same = {newest.setdefault(name, claim.document_id) for name in names}
        if about_same - {claim.document_id}:
            yield claim
