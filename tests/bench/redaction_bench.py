"""What the rules touch in real text, and how long they take.

    python tests/bench/redaction_bench.py FILE_OR_FOLDER...

Of a file of JSON Lines every text counts, at any depth; of any other file, all of it.
Prints each secret that was found, with what stands around it, to be judged by a person;
then how many words of a thousand went, and the seconds for 10 MB, beside those that one
pattern needs which is not there. The processor's time counts, as machines are busy.
"""

import json
import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from gitmem.redaction.engine import secrets_in
from gitmem.redaction.redact import redact

_AROUND = 60
_PIECE = 900


def main() -> None:
    files = [file for name in sys.argv[1:] for file in files_of(Path(name))]
    texts = list(dict.fromkeys(text for file in files for text in texts_of(file)))
    words = sum(len(text.split()) for text in texts)
    print(f"{len(files):,} files, {len(texts):,} texts, {words:,} words")
    cleaned = [redact(text) for text in texts]
    show(texts, cleaned)
    touched = sum(map(touched_words, texts, cleaned))
    print(f"{touched:,} words touched, {1000 * touched / words:.3f} of 1,000")
    one = "\n".join(texts)
    pieces = [one[at : at + _PIECE] for at in range(0, len(one), _PIECE)]
    timed("text by text", lambda: [redact(text) for text in texts], texts)
    timed(f"by {_PIECE} characters", lambda: [redact(piece) for piece in pieces], texts)
    timed("as one text", lambda: redact(one), texts)
    absent = re.compile("zqx7w")
    timed("one absent pattern", lambda: absent.sub("", one), texts)


def files_of(place: Path) -> Iterator[Path]:
    found = sorted(place.rglob("*")) if place.is_dir() else [place]
    return (file for file in found if file.is_file())


def texts_of(file: Path) -> Iterator[str]:
    content = file.read_text("utf-8", errors="replace")
    if file.suffix != ".jsonl":
        yield content
        return
    for line in content.splitlines():
        yield from texts_in(json.loads(line))


def texts_in(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from texts_in(item)
    elif isinstance(value, list):
        for item in value:
            yield from texts_in(item)


def show(texts: Iterable[str], cleaned: Iterable[str]) -> None:
    rules: Counter[str] = Counter()
    for text, clean in zip(texts, cleaned, strict=True):
        if text == clean:
            continue
        rules.update(re.findall(r"\[REDACTED:?([\w-]*)\]", clean))
        for start, end, _ in secrets_in(text):
            around = text[max(0, start - _AROUND) : end + _AROUND // 2]
            print(f"  {text[start:end][:70]!r} in {around!r}")
    print(", ".join(f"{name} {count}" for name, count in rules.most_common()))


def touched_words(text: str, clean: str) -> int:
    if text == clean:
        return 0
    lost = Counter(text.split()) - Counter(clean.split())
    return lost.total()


def timed(what: str, work: Callable[[], object], texts: Iterable[str]) -> None:
    size = sum(len(text) for text in texts)
    taken = []
    for _ in range(3):
        begun = time.process_time()
        work()
        taken.append(time.process_time() - begun)
    print(f"{what}: {min(taken) / size * 1e7:.3f} s for 10 MB")


if __name__ == "__main__":
    main()
