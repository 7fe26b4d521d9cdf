"""Whose a session is: the user's own, that of somebody trusted, or another's.

Who began a session is what its document says. Whoever may write to the remote could
write another's address there, so this tells people apart who share a memory in good
faith; it proves nothing.
"""

from collections.abc import Iterable
from dataclasses import replace

from gitmem.frozen import frozen
from gitmem.text.markdown import one_line
from gitmem.text.patterns import pattern

EVERYBODY = "*"
"""Trusted instead of an address: whoever can write to the memory."""
NAME_LENGTH = 60

_ADDRESS = pattern(r"<([^<>]*)>\s*\Z")
_NAMED = pattern(r"\nauthor:.*\w")
"""An author who is somebody, in a header."""


@frozen
class Trust:
    """Whose sessions count as the user's own."""

    address: str
    """The user's address."""
    nobody: str
    """The address that stands where git knew no user."""
    trusted: frozenset[str] = frozenset()
    """Addresses, or EVERYBODY."""
    is_shared: bool = False
    """True if others may have written to the memory."""

    def owns(self, author: str) -> bool:
        """Return whether the author is the user, or nobody else can be.

        `author` is as in a session, and may be empty.
        """
        address = address_in(author)
        is_unknown = not author.strip() or address == self.nobody
        return address == self.address or (is_unknown and not self.is_shared)

    def covers(self, author: str) -> bool:
        """Return whether the sessions of `author` are told like the user's own."""
        is_trusted = EVERYBODY in self.trusted or address_in(author) in self.trusted
        return is_trusted or self.owns(author)

    def joined(self, second: "Trust") -> "Trust":
        """Return the same, with the addresses that a second trust of the user names."""
        addresses = {second.address, *second.trusted} - {second.nobody, EVERYBODY}
        return replace(self, trusted=self.trusted | addresses)

    def may_trust(self, header: str) -> bool:
        """Return False where `covers` is False for every author this header can name.

        It is asked of hundreds of documents, and spares reading them.
        """
        if EVERYBODY in self.trusted:
            return True
        text = header.casefold()
        if not self.is_shared and (self.nobody in text or not _NAMED.search(text)):
            return True
        is_named = any(address in text for address in (self.address, *self.trusted))
        return is_named or "\nauthor:" not in text


def trust_from_settings(
    address: str, nobody: str, trusted: Iterable[str], *, is_shared: bool
) -> Trust:
    """Return the trust that settings name; names without an address are not trusted."""
    addresses = (_trusted(address.strip()) for address in trusted)
    return Trust(
        address=address.casefold(),
        nobody=nobody.casefold(),
        trusted=frozenset(filter(None, addresses)),
        is_shared=is_shared,
    )


def address_in(author: str) -> str:
    """Return the address of `Name <address>`, casefolded; "" where there is none."""
    match = _ADDRESS.search(author)
    return match[1].strip().casefold() if match else ""


def name_in(author: str) -> str:
    """Return a name for a line, else the address; "" for nobody."""
    name = one_line(_ADDRESS.sub("", author), NAME_LENGTH).strip("\"' ")
    return name or one_line(address_in(author), NAME_LENGTH)


def _trusted(setting: str) -> str:
    if setting == EVERYBODY:
        return setting
    bare = setting.casefold() if "@" in setting and "<" not in setting else ""
    return address_in(setting) or bare
