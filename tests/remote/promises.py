"""What a memory has to hold, and what nobody may have any more, told by words.

Each word is said once, in one conversation.
"""

import random
import string
from dataclasses import dataclass, field


def aside(word: str) -> str:
    """A word that comes with another one, and that later ones may replace."""
    return word[::-1]


@dataclass
class Promises:
    kept: dict[str, str] = field(default_factory=dict)
    """Words that must be there, and their conversations."""
    forgotten: set[str] = field(default_factory=set)
    """Conversations."""
    unwanted: set[str] = field(default_factory=set)
    """Their words."""
    taken_out: set[str] = field(default_factory=set)
    """Conversations of which a person took a document out: what was said in it may
    stay, as the memory does not know whose it is."""
    _chance: random.Random = field(default_factory=lambda: random.Random(0))

    def new_word(self) -> str:
        return "".join(self._chance.choices(string.ascii_lowercase, k=9))

    def said(self, word: str, client: str) -> None:
        """Acknowledged; but what is forgotten stays so, whatever is said later."""
        if client in self.forgotten:
            self.unwanted |= {word, aside(word)}
        else:
            self.kept[word] = client

    def removed(self, before: str, after: str) -> None:
        """By a person, who made another text of one; it may be there or not."""
        for word in [w for w in self.kept if w in before and w not in after]:
            del self.kept[word]

    def forget(self, client: str) -> None:
        said, self.kept = self.kept, {}
        self.forgotten.add(client)
        self.unwanted.add(client)
        for word, of_client in said.items():
            self.said(word, of_client)

    def broken(self, documents: str, said: str) -> set[str]:
        """Words that are not there, or should not be."""
        lost = {word for word in self.kept if word not in documents}
        told = {word for word in self.unwanted if word in documents}
        return lost | told | {w for w in self.unwanted - self.taken_out if w in said}
