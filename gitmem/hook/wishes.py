"""Whether somebody wants something remembered, in one of several languages."""

import re

from gitmem.text.patterns import pattern

_MOST_CHARACTERS = 20_000
_QUOTED = pattern(
    r"```.*?(?:```|\Z)|`[^`\n]{0,300}`|\"[^\"\n]{0,300}\"|“[^”\n]{0,300}”"
    r"|„[^“\n]{0,300}“|«[^»\n]{0,300}»|「[^」\n]{0,300}」"
    r"|(?<!\w)'[^'\n]{0,300}'(?!\w)|^>[^\n]*",
    re.DOTALL | re.MULTILINE,
)
"""Code, and words of others."""
_CLAUSE = (
    r"(?:\A|[.!?;:,…—–\n()-]|\b(?:and|but|also|then|so|(?:want|like) you to"
    r"|you (?:should|must)|und|aber|y|pero|et|mais|e|ma|però|mas|и|но)\b)\s*"
    r"(?:(?:please|pls|always|bitte|immer|siempre|por favor|toujours|per favore"
    r"|sempre|пожалуйста|всегда),?\s+){0,2}"
)
_LATER = (
    r"(?=\s*(?:[.!:,;)]|\Z|\n)|\s+(?:for (?:later|the future|future|next)|(?:in|to)"
    r" (?:your |the )?memory|as an? (?:rule|note|memory|preference|convention)"
    r"|für später|para (?:luego|más tarde|depois)|pour plus tard|per dopo))"
)
_WISH = pattern(
    rf"{_CLAUSE}(?:"
    r"(?:remember(?: that| this|:| to)|(?:keep|bear)(?: this| that)? in mind"
    r"|memori[sz]e|(?:make|take) a note|note(?: to self|:| that)|don'?t forget"
    r"|merk'? ?e? ?dir|denke? daran|vergiss nicht|behalte|notiere? dir|souviens-toi"
    r"|n'oublie pas|retiens|mémorise|recuerda|no olvides|memoriza|apunta que"
    r"|ricorda(?:ti)?|memorizza|tieni a mente|lembre(?:-se)?|não esqueça|запомни|помни"
    r"|не забудь)(?!\w)"
    r"|(?:(?:save|store) (?:this|that)|speicher[en]? (?:das|dies)(?: ab)?"
    r"|enregistre (?:ça|cela|ceci)|guarda esto|salva questo|(?:guarde|salve) isso"
    rf"|сохрани это){_LATER}"
    r")(?![^.!?\n]{0,200}\?)"
    r"|请?(?:记住|記住|(?<![你还還不])(?:记得|記得)|记下来|保存下来)(?![^。！？\n]{0,99}[吗嗎？])"
    r"|覚えて(?!い|る)|メモして|記憶して|기억해(?!요?\?)|메모해",
    re.IGNORECASE,
)


def asks_to_remember(prompt: str) -> bool:
    """Tell whether a prompt says so in its own words, neither in code nor quoted."""
    # A run of spaces would be tried from each of its places.
    lines = (" ".join(line.split()) for line in prompt[:_MOST_CHARACTERS].splitlines())
    return bool(_WISH.search(_QUOTED.sub("_", "\n".join(filter(None, lines)))))
