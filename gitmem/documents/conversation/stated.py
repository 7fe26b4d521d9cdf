"""What a conversation states: its sentences that decide, rule, give up or prefer.

Nobody saved them. So one counts only where its words say what it is, and where it or
the sentence before names something of the code; a person's own also without a name.
What is asked, supposed or announced ("I will read the file") states nothing.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import chain

from gitmem.documents.conversation.conversation import Speaker, Turn
from gitmem.documents.session.session import SAID, Statement
from gitmem.text.code_names import names_in
from gitmem.text.patterns import linear, pattern

LONGEST = 300
"""Characters of a passage."""
_SHORTEST = 12
_MOST = 50
"""Passages of a conversation: the last ones, which hold where it changed its mind."""


def _any_of(*tables: str) -> re.Pattern[str]:
    """Return what finds any line of the tables; an indented one goes on."""
    lines = chain.from_iterable(table.strip("\n").split("\n") for table in tables)
    return linear("(?i)" + "|".join(lines).replace("|  ", ""))


_DO = "use|keep|stick|stay|go with|switch|store|put|drop|avoid|treat|name|leave|pin|log"
_NOT = "never|always|do not|don't"
_ENGLISH = rf"""
\b(?:we|i|team|user)(?: have|'ve| had)?(?: all| both| now)? (?:decided|agreed|chosen?|
  picked|settled on|opted|ruled out|rejected|abandoned|went with|gave up|switched)\b
\b(?:was|were|been|is|are) (?:decided|agreed|ruled out|abandoned|rejected)\b
\bdecided (?:to|on|that|against|not)\b|\b(?:decision|convention|rule|agreed): \S
\b(?:we|team|project)(?:'ll| will|'re going to| are going to)(?: \w+)? (?:{_DO})\b
\bwe(?: now| always| only)? (?:use|keep|store|avoid)\b|\bwe(?:'re| are) (?:us|keep)ing\b
\bwe (?:don't|do not|no longer|never) (?:use|call|log|mock|store|touch|edit|want)\b
\blet(?:'s| us)(?: \w+)? (?:{_DO}|never|always|not)\b|\bswitched (?:back )?(?:to|from)\b
\b(?:we|i) (?:\w+ ){{0,2}}(?:\w+ed|kept|put|made|set) .*\b(?:instead|rather|because)\b
\b(?:chosen?|picked) \S.*\b(?:over|because)\b|\b(?:stays?|remains?) .*\bbecause\b
^(?:please )?(?:{_DO}|write|return|call) .*(?:\binstead|\brather|\bbecause|, not)\b
\b(?:uses?|moved?|replaced?|stores?|keeps?|reads?|writes?|returns?|raises?|goes) .*\b(?:
  instead of|rather than)\b
\bmust(?: not| never| only)? [a-z]+|\b(?:should|may|shall) (?:never|always|only)\b
\b(?:not|never) allowed\b|\b(?:forbidden|keep in mind)\b
\bha(?:s|ve) to (?:stay|remain)\b
^(?:please |and |so |but )?(?:{_NOT}) (?:ever )?[a-z]+|^only (?:\S+ ){{1,4}}may\b
^(?:if|when|for|in|before|after) .*, (?:please )?(?:{_NOT}) [a-z]+
(?:[;:—–] |, (?:so |and )?)(?:never|always) [a-z]+|(?:[;:—–] |, so )(?:{_NOT}) [a-z]+
\bdid(?:n't| not) work\b|\bdoes(?:n't| not) work (?:with|because|on|for|here)\b
\btried\b.*\b(?:but|failed|broke|didn't|did not|deadlock|worse|slower)|\bdead end\b
\b(?:broke|crashed|deadlocked|hung|failed|leaked)\b.*\bso (?:we|i)\b|\bg[ai]ven? up\b
\brolled (?:\S+ )?back\b|\breverted\b.*\b(?:because|since|as it|broke|after)\b
\b(?:i|we|user|team|they)(?:'d| would)?(?: \w+)? (?:prefers?|rather)\b|\bfrom now on\b
\bi (?:want|like|need)\b.*\b(?:always|never|every time)\b
\bi (?:hate|dislike|don't like)\b
\bgoing forward\b|\bin (?:the )?future,? (?:please|always|never|use|do)\b
"""
_OTHER_LANGUAGES = r"""
haben (?:uns )?.*(?:entschieden|beschlossen)|\bwir (?:verwenden|nehmen|nutzen)\b
\b(?:anstatt|anstelle|statt|niemals|immer|auf keinen fall|lieber|ab jetzt|künftig)\b
\b(?:muss|müssen|darf|dürfen|soll|sollen) |^bitte (?:nie|kein|nicht)|\blasst? uns \w+
nicht (?:funktioniert|geklappt)|(?:ging|funktionierte) nicht|versucht.*\baber\b
verworfen|aufgegeben|zurückgenommen|\bich (?:bevorzuge|mag|möchte)\b
\b(?:on a|avons|ai|a été) (?:décidé|choisi|convenu|opté)|\bon garde\b
\b(?:au lieu d|plutôt que\b|doi(?:t|vent)\b|il (?:ne )?faut\b|jamais\b|toujours\b)
pas (?:marché|fonctionné)|ne (?:marche|marchait) pas|essayé.*\bmais\b|abandonné
\bje (?:préfère|veux|souhaite)\b|\b(?:désormais|dorénavant)\b
\bdecid(?:imos|ido|iu)|\bvamos (?:a )?usar\b|\b(?:usaremos|elegimos)\b|en lugar de
\b(?:deben?|hay que|nunca|siempre|prefiero|quiero|a partir de a(?:hor|gor)a)\b
no funcion|(?:probamos|intent).*\bpero\b|descarta(?:mos|do)|abandona(?:mos|do)
\b(?:em vez d|ao invés d|deve\b|sempre\b|prefiro\b|quero\b)|não funcion
tentamos.*\bmas\b
\babbiamo (?:deciso|scelto)\b|\b(?:useremo|invece di|anziché|devono|mai|vietato)\b
non (?:ha|funziona)|provato.*\bma\b|abbandonat|\b(?:preferisco|voglio|d'ora in poi)\b
решили|решено|договорились|выбрали|перешли на|вместо|будем (?:использовать|хранить)
долж(?:ен|на|но|ны)|нельзя|запрещ|никогда|всегда|обязательно|предпочита|отныне|впредь
не (?:с?работа|помогл|вышло|получилось)|(?:пробовал|пытал).*но |отказались|откатили
决定|我们(?:用|使用|选|改|采用|不再)|改用|改为|采用|选择了|而不是|必须|不得|不要|不允许
不能
禁止|绝不|永远|始终|总是|一律|只能|不行|没用|没有用|失败|放弃|回滚|我更?(?:喜欢|希望)
以后|今后
決め(?:た|ました)|決定|ことにし|採用|の代わりに|ではなく|必ず|なければな|てはいけ
しないで|禁止
常に|絶対|うまくいか|動か(?:な|ず)|失敗し|試し.*が|諦め|元に戻し|やめた|好み|してほしい
今後
결정|하기로|대신|반드시|항상|절대|하지 ?(?:마|말)|해야 (?:한|합|해)|금지|실패|작동하지
포기|되돌|선호|원합니다|앞으로
"""
_STATING = _any_of(_ENGLISH, _OTHER_LANGUAGES)
_SUPPOSING = _any_of(
    r"""
[?？]\W*$|:$|\b(?:could|should|would|might|shall|can) (?:we|i|you)\b|\bwhat if\b
\bwe (?:could|can|might|may|would)\b|\bif (?:we|i|you'd|you want)\b|\bthere must\b
\b(?:maybe|perhaps|alternatively|probably|whether|not sure|unclear|i see|right now)\b
\b(?:option|approach|alternative)s? ?(?:\d|[a-d]\b|:)|\b(?:consider|suggest|recommend)
\b(?:let me|want me|i'll|i will|i'm going to|i need to|we need to|i should|you can)\b
\b(?:could|would|might) (?:be|have|need)\b|\b(?:the|a|one|this) (?:bug|issue|problem)\b
\bmust (?:be (?:because|that|the|a|due|some|in|how|from)|have (?:been|had|gone))\b
\blet(?:'s| us) (?:keep (?:going|it|this)|leave (?:it|this)|make (?:sure|it|this)|see)\b
^(?:i've |i have |i )?(?:created|added|updated|fixed|verified|document\w*|ran)\b
^(?:always|never) (?:[a-z]*[^s\W]s|[a-z]+ed)\b|\bwas (?:expecting|never)\b|\bbefore:
\b(?:sollten|könnten|sollen|wollen) wir\b|\bvielleicht\b|\bwas wäre\b|\bwenn wir\b
\bich werde\b|\bpeut-être\b|\bpourr(?:ait|ions)\b|\b(?:et si|si on|je vais)\b
\b(?:quizás|tal vez|podríamos|y si|voy a|talvez|poderíamos|vou|e se|forse|potremmo)\b
может быть|возможно|а если|могли бы|стоит ли|сейчас я|かもしれ|でしょうか|ますか|べきか
也许|或许|要不要|是否|如果我们|可以考虑|我来|我将|让我|吗$|아마|할까|까요|수도 있
하겠습니다
"""
)
_POINTING = linear(
    r"(?i)\b(?:it|this|that|both|these|those|them|here|they)\b|^.{1,29}$"
)
"""A sentence without a name that points elsewhere says nothing alone."""
_FENCE = pattern(r"^\s*(?:```|~~~)")
_NO_PROSE = pattern(r"^\s*(?:[|>#<]|[-+@]{3}|\$ |//)")
_MARK = pattern(r"^\s*(?:[-*+•]|\d{1,3}[.)])\s+(?:\[[ x]\]\s+)?")
_ENDS = pattern(
    r"(?<=[.!?])(?<!e\.g\.)(?<!i\.e\.)[\"')\]]*\s+(?=[^a-z\s])|(?<=[。！？])"
)


def said_in(session_id: str, turns: Iterable[Turn]) -> list[Statement]:
    """Return what a conversation states, which stands in for what nobody saved."""
    speakers: dict[str, Speaker] = {}
    for turn in turns:
        is_typed = turn.speaker is Speaker.PERSON
        for passage in stated_passages(turn.text, is_typed=is_typed):
            speakers.setdefault(passage, turn.speaker)
    return [
        Statement(f"{session_id}#s{number}", SAID, passage, by)
        for number, (passage, by) in enumerate(speakers.items(), start=1)
    ][-_MOST:]


def stated_passages(text: str, *, is_typed: bool = False) -> Iterator[str]:
    """Yield the sentences of a turn that state something, each on one line.

    Where the sentence before has the name, both. What `is_typed` needs no name.
    """
    for line in _prose(text):
        before = ""
        for sentence in _ENDS.split(line):
            if _states(sentence):
                pair = f"{before} {sentence}"
                if names_in(sentence):
                    yield sentence
                elif names_in(before) and _states(pair):
                    yield pair
                elif is_typed and not _POINTING.search(sentence):
                    yield sentence
            before = sentence


def _prose(text: str) -> Iterator[str]:
    """Yield the lines of a text that are no code, table, quotation or heading."""
    is_code = False
    for line in text.splitlines():
        if _FENCE.match(line):
            is_code = not is_code
        elif not is_code and not _NO_PROSE.match(line):
            plain = _MARK.sub("", line).replace("**", "").replace("’", "'")
            yield " ".join(plain.split())


def _states(sentence: str) -> bool:
    if not _SHORTEST <= len(sentence) <= LONGEST:
        return False
    return bool(_STATING.search(sentence)) and not _SUPPOSING.search(sentence)
