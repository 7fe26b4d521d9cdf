"""Detect queries for the newest work: "continue", "where did we leave off".

All of a query has to match, one thought after the other: "continue button does nothing"
asks for a button.
"""

import re

from gitmem.search.queries.context import TAKEN
from gitmem.text.patterns import linear, pattern

_LONGEST = 200
"""Most characters of such a query."""


def is_about_order(text: str) -> bool:
    """Return whether `text`, without its filters, asks for the newest work alone."""
    if len(text) > _LONGEST:
        return False
    thoughts = _THOUGHT_ENDS.split(_plain(text))
    questions = [
        thought for thought in thoughts if not _COURTESY.fullmatch(f"{thought} ")
    ]
    return bool(questions) and all(map(_QUESTION.fullmatch, questions))


def _plain(text: str) -> str:
    """Return `text` in lower case and single spaces, "what's" as "whats"."""
    bare = re.sub(f"['’{TAKEN}]", "", text.lower()).replace("to-do", "todo")
    return " ".join(bare.split())


_THOUGHT_ENDS = pattern(r" ?[,.:!?…]+(?: |$)| ?\band\b ?")
_POLITE = (
    r"(?:(?:please|so|ok|okay|hi|hey|hello|good morning|thanks|now|then|just|well|yes"
    r"|alright|lets|let us|(?:can|could|will|would) (?:i|we|you)|i (?:want|need) to"
    r"|id like to|do you (?:know|remember)|(?:remind|tell|show) me) )*"
)
_COURTESY = linear(rf" *{_POLITE}")
_AFTERWARDS = (
    r"(?: (?:please|again|then|(?:right )?now|here|thanks|for me|(?:in|on) this [^ ]+)"
    r")*"
)

_WE = r"(?:i|we|you)"
_OUR = r"(?:(?:the|my|our|your) )?"
_WE_HAVE = (
    rf"(?:(?:did|do|had|have|was|were|am|are) {_WE}"
    rf"|{_WE}(?: (?:did|had|have|was|were|am|are))?)"
)
_IS = r"(?:s| is| are| was| were)"
_SESSION = r"(?:sessions?|conversations?|chats?|work|tasks?|time|things?|one)"
_TODOS = r"(?:todos?(?: list)?|tasks?)"
_OPEN = r"(?:open|pending|unfinished|remaining|outstanding)"
_TO_DO = r"(?: (?:to do|to be done|to finish|todo))"
_DOING = (
    r"(?:do|did|done|doing|up to|(?:work|worked|working)(?: on)?|finish|finished"
    r"|get done|accomplish|achieve|discuss|talk about)"
)
_LAST = (
    rf"{_OUR}(?:very )?(?:last|latest|previous|newest|(?:most )?recent)"
    rf"(?: {_SESSION})?(?: (?:that )?{_WE_HAVE} {_DOING})?"
)
_WHEN = (
    r"(?: (?:so far|before|earlier|previously|together|lately|recently|next|first|now)"
    rf"|(?: (?:in|during|since|at))? {_LAST})*"
)

_DID = rf"what {_WE_HAVE}(?: been| last)* {_DOING}{_WHEN}|what happened{_WHEN}"
_LEFT_OFF = (
    rf"where {_WE_HAVE}"
    r"(?: (?:leave|left|stop|stopped|end|ended|get|got|finish|finished|stand))?"
    rf"(?: (?:it|things|off|up|at|to))*{_WHEN}"
    rf"|where (?:do )?things stand|how far did {_WE} get{_WHEN}"
)
_GO_ON = (
    r"(?:continue|resume|proceed|carry on|go on|keep (?:going|working)"
    r"|(?:(?:get|go) )?back to|pick (?:(?:it|this|that|things) )?(?:back )?up)"
    r"(?: (?:from|with|on|at|in))?"
    rf"(?: (?:{_LEFT_OFF}|{_DID}|{_LAST}|{_OUR}(?:{_OPEN} |this |that )?{_SESSION}"
    r"|the|my|our|(?:working on )?(?:it|this|that)|working))?"
    rf"|start (?:{_LEFT_OFF})"
)
_NEXT = (
    rf"what(?:{_IS}| comes)?(?: {_OUR}?)?next(?: (?:steps?|{_TODOS})|{_TO_DO})?"
    rf"|{_OUR}next (?:steps?|{_TODOS})|what now|now what"
    rf"|what (?:should|do|can|could|shall|must) {_WE} (?:still )?(?:(?:have|need) )?"
    r"(?:left )?(?:to )?(?:do|tackle|work(?: on)?|start with|continue with|focus on)"
    r"(?: next| now| first)?"
)
_LEFT_TO_DO = (
    rf"what(?: {_TODOS})?{_IS}(?: still)?(?: (?:left|{_OPEN})|{_TO_DO}){_TO_DO}?"
    rf"|what(?: still)? (?:remains{_TO_DO}?|needs{_TO_DO})"
    rf"|(?:is (?:there )?)?(?:any|some)thing(?: still)? (?:left|{_OPEN}){_TO_DO}?"
    rf"|(?:(?:show|list|what{_IS}) )?(?:on )?"
    rf"(?:{_OUR}{_OPEN} (?:todos?|work)|(?:my|our) (?:{_OPEN} )?{_TODOS})"
)
_SESSION_BEFORE = rf"(?:(?:open|find|get|load|read|see|what{_IS}) )?{_LAST}(?: about)?"
_SUMMARY = (
    r"(?:catch|bring|get) me up(?: to (?:speed|date))?|recap"
    rf"|what{_IS} (?:the|our|my) (?:current )?(?:status|state|progress)"
    r"|(?:(?:give me )?(?:an? |the )?(?:recap|summary|overview|update) (?:of|on)"
    rf"|summari[sz]e) (?:{_LAST}|{_DID})"
    r"|give me (?:an? |the )?(?:recap|summary|overview|update)"
)
_QUESTION = linear(
    rf"{_POLITE}(?:{_GO_ON}|{_LEFT_OFF}|{_DID}|{_NEXT}|{_LEFT_TO_DO}|{_SESSION_BEFORE}"
    rf"|{_SUMMARY}){_AFTERWARDS}"
)
