"""What a conversation states: its sentences that decide, rule, give up or prefer.

Nobody saved them. So one counts only where its words say what it is, and where it or
the sentence before names something of the code; a person's own also without a name.
What is asked, supposed or announced ("I will read the file") states nothing.
"""

import re
from collections.abc import Iterable, Iterator
from datetime import datetime

from gitmem.documents.conversation.conversation import Speaker, Turn
from gitmem.documents.session.statements import SAID, Statement
from gitmem.text.code_names import names_in
from gitmem.text.patterns import linear, pattern

_SHORTEST, LONGEST = 12, 300
"""Characters of a passage."""
_MOST = 50
"""Passages of a conversation: the last ones, which hold where it changed its mind."""


def _any_of(table: str) -> re.Pattern[str]:
    """Return what finds any line of a table; an indented one goes on."""
    return linear("(?i)" + table.strip().replace("\n", "|").replace("|  ", ""))


_DO = "use|keep|stick|stay|go with|switch|store|put|drop|avoid|treat|name|leave|pin|log"
_NOT = "never|always|do not|don't"
_STATING = _any_of(rf"""
\b(?:we|i|team|user)(?: have|'ve)?(?: all| both)? (?:decided|agreed|chosen?|picked|
  settled|opted|ruled out|rejected|abandoned|went with|gave up|switched)\b|\bdead end\b
\b(?:was|been|is|are) (?:decided|agreed|ruled out|abandoned|rejected)\b
\bdecided (?:to|on|that|against)\b
\b(?:decision|convention|rule|agreed)(?: \w+){{0,3}}: |\bswitched (?:to|from)\b
\bwe(?:'ll| will) [a-z]+|\blet's(?: \w+)? (?:{_DO}|not)\b|(?:^|[,:] )whenever\b
\bwe (?:(?:now |always |only )?(?:use|keep|store|avoid|skip)|(?:don't|do not|no longer|
  never) (?:use|call|mock|store|touch|edit|want))\b|\bwe(?:'re| are) (?:us|keep)ing\b
\b(?:we|i) (?:\w+ ){{0,2}}(?:\w+ed|kept|put|made|set) .*\b(?:instead|rather|because)\b
\b(?:chosen?|picked) \S.*\b(?:over|because)\b|\b(?:stays?|remains?) .*\bbecause\b
^(?:please )?(?:{_DO}|write|return|call) .*(?:\binstead|\brather|\bbecause|, not?)\b
\b(?:use|move|replace|store|keep|read|write|return|raise|goe)[sd]? .*\b(?:instead of|
  rather than)\b|\bmust(?: \w+)? [a-z]+|\bshould (?:not|never|always|only)\b
^(?:(?:if|when|for|in|before|after) .*, )?(?:please |and |so |but )?(?:{_NOT}) [a-z]+
(?:[;:—–] |, (?:so )?)(?:never|always) [a-z]+|(?:[;:—–] |, so )(?:{_NOT}) [a-z]+
\bd(?:id|oes)(?:n't| not) help\b|\bdid(?:n't| not) work\b|\bg[ai]ven? (?:\w+ )?up\b
\btried\b.*\b(?:but|failed|broke|did|didn't|deadlock|worse)|\brolled (?:\S+ )?back
\b(?:reverted|removed)\b.*\b(?:because|since|as it|broke)\b|\b(?:nothing|nobody) may\b
\b(?:since|any ?more|no longer|again|after all)\b.*,? so\b|\bnow,? so\b
, so\b.*\b(?:any ?more|again|after all)\b|\b(?:no longer|any ?more) \S|\binstead[.!]?$
\bafter all\b|\b(?:welcome|fine|permitted|allowed|possible)\b.*\b(?:again|now)\b
\bask me before\b|\bi'd like .* to be\b|\bwas a (?:mistake|bad idea)\b
\b(?:i|we|user|team)(?:'d| would)?(?: \w+)? (?:prefers?|rather)\b
\b(?:from now on|going forward|not allowed)\b
\bi (?:want|like) .*\b(?:always|never|no|not|nothing|only)\b
\b(?:entschieden|beschlossen|so machen wir|wir (?:verwenden|nehmen|nutzen)|statt|
  ich mag)\b|(?:nicht|keine?n?)\b.* mehr\b|\bdoch[.!]?$
\b(?:niemals|immer|lieber|ab jetzt|künftig|müssen|ich bevorzuge|muss|darf|dürfen)\b
nichts? (?:funktioniert|geklappt|gebracht)|aufgegeben|verworfen
\b(?:désormais|je préfère)\b|\b(?:on a|avons|ai|a été) (?:décidé|choisi|tranché)
pas (?:marché|fonctionné)|abandonné|\bn(?:e |').*\bplus\b|\bon passe à\b
\b(?:au lieu d|plutôt que\b|doi(?:t|vent)\b|il (?:ne )?faut\b|jamais\b|toujours\b)
\bdecid(?:imos|ido|iu)|tentei.*\bmas\b|intenté.*\bpero\b|\bvamos (?:a )?usar\b
(?:no|não) funcion|\bya no\b|\bnão\b.*\bmais\b|abandona(?:mos|do)
\b(?:en lugar de|deben?|hay que|nunca|siempre|prefiero|a partir de a(?:hor|gor)a)\b
\b(?:em vez d|deve\b|sempre\b|prefiro\b|gosto de\b)|\babbiamo (?:deciso|scelto)\b
non funziona|\b(?:invece di|anziché|devono|mai|preferisco)\b|решили|решено|договорились
выбрали|перешли на|вместо|долж(?:ен|на|но|ны)|нельзя|запрещ|никогда|всегда|предпочита
впредь|больше не|не.* больше|теперь|отказал(?:ся|ись)|откатили|попробовал.* но \S
не (?:с?работа|помогл|вышло)|, а не \S|决定|我们(?:用|使用|选|改|不再)|改用|改回|采用
而不是|必须|不得|不要|不能|禁止|绝不|永远|始终|总是|一律|只能|失败|放弃|回滚|以后|今后
我更?(?:喜欢|希望)|決め(?:た|ま)|決定|ことにし|採用|の代わりに|ではなく|必ず|なければな
てはいけ|しないで|常に|絶対|うまくいか|動か(?:な|ず)|失敗し|諦め|元に戻し|やめ(?:た|ま)
好み|もういい|결정|하기로|대신|반드시|항상|절대|하지 ?(?:마|말)|해야 (?:한|합|해)|금지
실패|작동하지|포기|되돌|선호|앞으로
""")
_SUPPOSING = _any_of(r"""
[?？]\W*$|:$|\b(?:no longer|not) (?:used|exist|needed|show|visible|in\b|reach)|\bwon't\b
\b(?:could|should|would|might|shall|can) (?:we|i|you)\b|\bif (?:we|i|you)\b
\bwe (?:could|can|might|may|would)\b
\b(?:what if|maybe|perhaps|alternatively|probably|whether|not sure|i see|right now|
  consider|suggest|let me|i'll|i will|i want to|i need to|we need to|i should|you can|
  there must|(?:the|a|one|this) (?:bug|issue))\b
\b(?:option|approach)s? ?(?:\d|[a-d]\b|:)|\b(?:could|would|might) (?:be|have|need)\b
\bi'm going to\b|\bmust (?:be (?:because|that|the|a|in|how|from)|have)\b
\blet's (?:keep (?:going|it|this)|leave (?:it|this)|make (?:sure|it|this)|see)\b
^(?:i've |i have |i )?(?:created|verified|documented|ran)\b|\bwas (?:expecting|never)\b
^(?:always|never) (?:[a-z]*[^s\W]s|[a-z]+ed)\b|\bwe(?:'ll| will) (?:see|need|have|get)\b
\b(?:sollten|könnten|sollen) wir\b
\b(?:vielleicht|was wäre|wenn wir|ich werde|peut-être|et si|si on|je vais|quizás|
  tal vez|y si|voy a|talvez|vou|e se|forse|potremmo)\b|pourr(?:ait|ions)\b
pod(?:ríam|eríam)os|может быть|возможно|а если|могли бы|стоит ли|かもしれ|でしょうか
ますか|べきか|也许|或许|要不要|是否|如果我们|我来|我将|让我|吗$|할까|까요|아마
""")
_POINTING = _any_of(r"""
^(?:it|this|that|they)\b|[a-z]{2} (?:it|this|that|these|those|them)\b.{0,9}$|^.{1,29}$
""")
"""A sentence without a name that points elsewhere says nothing alone."""
_FENCE = pattern(r"^[ \t]*(?:```|~~~).*$", re.MULTILINE)
_NO_PROSE = pattern(r"\s*(?:[|>#<]|[-+@]{3}|\$ |//)")
_MARK = pattern(r"^\s*(?:[-*+•]|\d{1,3}[.)])\s+(?:\[[ x]\]\s+)?")
_ENDS = pattern(r"(?<=[.!?])(?<!e\.g\.)(?<!i\.e\.)(?<!etc\.)[\"')\]]*\s+|(?<=[。！？])")


def stated_in(
    session_id: str, turns: Iterable[Turn], began_at: datetime
) -> list[Statement]:
    """Return what a conversation states, which stands in for what nobody saved."""
    first_turns: dict[str, Turn] = {}
    for turn in turns:
        is_typed = turn.speaker is Speaker.PERSON
        for passage in stated_passages(turn.text, is_typed=is_typed):
            first_turns.setdefault(passage, turn)
    return [
        Statement(
            f"{session_id}#s{number}", SAID, passage, turn.at or began_at, turn.speaker
        )
        for number, (passage, turn) in enumerate(first_turns.items(), start=1)
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
    for part in _FENCE.split(text.replace("**", "").replace("’", "'"))[::2]:
        for line in part.splitlines():
            if not _NO_PROSE.match(line):
                yield " ".join(_MARK.sub("", line, count=1).split())


def _states(sentence: str) -> bool:
    if not _SHORTEST <= len(sentence) <= LONGEST:
        return False
    return bool(_STATING.search(sentence)) and not _SUPPOSING.search(sentence)
