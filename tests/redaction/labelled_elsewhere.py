"""Another set of texts with a secret behind a label, written apart from the rules.

It was measured once before anything was mended for it (docs/decisions/0017).
"""

from collections.abc import Iterator
from itertools import chain, product

from redaction.labelled_texts import Text, forms_in, rows

WORDS = rows("""
letmein  butterfly  Schmetterling  mariposa  soleil  cachorro  fietsbel  truskawka
jahoda  blåbär  farfalla  çiçek  mămăligă  берёза  苹果树  さくらもち  무지개
""")
PINS = ["1379", "00421", "246810"]
SYMBOLS = ["@#%^&*", "?!?!?!", "<>{}[]", "~~==~~"]
SHORT = ["zq", "k9", "ab1", "pip"]
PHRASES = rows("""
orange tractor sings loudly  blue-kettle-under-moon  my voice is my passport
viele bunte Luftballons  tres tristes tigres
""")
STRONG = ["G7$kd!x2Lq", "aB3dE5fG", "x8-Tz_44.q", "monkey123", "Winter2024!"]
ALL = [
    *(("word", w) for w in WORDS),
    *(("pin", w) for w in PINS),
    *(("symbols", w) for w in SYMBOLS),
    *(("short", w) for w in SHORT),
    *(("phrase", w) for w in PHRASES),
    *(("strong", w) for w in STRONG),
]
TIGHT = [pair for pair in ALL if " " not in pair[1] and pair[0] != "symbols"]
NO_SYMBOLS = [pair for pair in ALL if pair[0] != "symbols"]


def labelled_elsewhere() -> Iterator[Text]:
    """Fill the forms: those that quote the value, those that do not, and commands."""
    lists = zip(
        forms_in("labelled_elsewhere.txt"), (NO_SYMBOLS, ALL, TIGHT), strict=True
    )
    for form, (kind, value) in chain.from_iterable(product(*each) for each in lists):
        shape = form.replace(r"\n", "\n").replace(r"\t", "\t")
        shape = shape.replace(r"\u200b", "\u200b").replace(r"\u00ad", "\u00ad")
        text = shape.replace("{V}", value).replace("{W}", "Papagei")
        hidden = (value, "Papagei") if "{W}" in form else (value,)
        yield Text(text, hidden, f"{form} |  | {kind}")
