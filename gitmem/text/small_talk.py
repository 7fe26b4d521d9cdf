"""Texts without content: greetings, thanks, refusals, reports that nothing was done."""

from gitmem.text.patterns import pattern

_COURTESY = """
hi hello hey hiya howdy yo hallo moin hola bonjour bonsoir salut ciao buongiorno olá
thanks thank thankyou thx cheers please pls plz danke dankeschön bitte merci
gracias grazie obrigado obrigada bedankt dziękuję tack спасибо привет здравствуйте
谢谢 谢谢你 谢谢您 非常感谢 你好 您好 抱歉 ありがとう ありがとうございます こんにちは
감사합니다 고맙습니다 안녕하세요 por favor
yes yeah yea yep yup no nope nah ok okay kk sure fine right correct exactly
agree agreed absolutely definitely ja nein oui non si sí genau 好的 是的 可以 はい 네
good great nice cool perfect awesome excellent better lgtm sorry hm hmm oh ah parfait
"""
_POINTING = """
not works sounds looks wait stop well never mind nothing continue proceed resume keep
going go on ahead carry next again retry try start begin weiter mach mache los continuer
continua continúa sigue dale vamos 继续 请继续 続けて お願いします 계속 it its it's this
that that's these those there here them they he she you your we us me my i'm i'd don't
let let's lets is are was were be been have has had what what's whats why how who when
which can could would will should may might must the an and or but so if then now just
also too more still yet to of in at for from by as with all both any some one first last
up out do does did done doing run implement implementing implementation fix fixed apply
commit commits push pushed plan option options step number
"""
"""Words that point to an answer or to the work tree, which no session has."""
SMALL_TALK = frozenset((_COURTESY + _POINTING).split())
"""Words without content of their own in a prompt."""
TRIAL = frozenset(
    """
    say tell reply respond answer echo just word words sentence joke haiku ping pong
    world everyone hear morning afternoon evening night day bye goodbye later name meet
    sag antworte nur mit guten morgen tag abend tschüss servus wie geht dir wer bist du
    dis réponds juste coucou salut bonne nuit journée beaucoup revoir comment vas ça va
    qui es tu di responde solo buenos buenas días tardes noches muchas adiós cómo estás
    quién eres rispondi buonasera mille prego come stai chi sei oi bom boa dia tarde sim
    tudo bem hoi dag dank je wel goedemorgen hoe gaat здравствуй добрый день спасибо
    большое да нет хорошо ок кто ты как дела 嗨 你好吗 早上好 再见 好 说你好 你是谁
    おはよう おはようございます こんばんは はじめまして 안녕 고마워요
    """.split()  # noqa: SIM905 - a literal would be a line for every word
)
"""Words of prompts that only try whether an assistant answers."""
TEST = frozenset(("test", "testing", "prueba", "prova", "тест", "测试", "テスト"))
"""Words that are such a trial if they are the whole prompt."""
_FILLERS = """
i im am is are was were be been have has there this that it the a an you your me we all
so very really much many lot for of and but to as with then again now everything every
request about today help made recorded found needed required performed occurred
es ich dir ihnen hilfe das dabei damit leider nicht für die wurden vorgenommen gemacht
je te vous t na avec ça cela pour votre ton aide beaucoup du de code été enregistrée
con eso esto su tu la por ayuda en el código del al codice questo è stata registrata
com isso isto muito foi registrada daar mee er zijn aangebracht я вам с этим большое
"""
_NOTHING = frozenset(f"{_COURTESY} {_FILLERS}".split())
"""Words without content if a text has no others."""
_PHRASES = r"""
apologi[sz]es?|good (?:morning|day|evening)|how are you|appreciate|welcome
(?:great|good|nice) (?:job|work)|well done|(?:looks|sounds) good|nothing to report
(?:cannot|cant|can not|unable to|not able to|wont|will not) (?:help|assist|comply|do)
an ai(?: language)? model|do(?: not|nt) have (?:information|memory)|do you remember
no(?: code| file| further)? (?:changes|edits|modifications)|changes were made
only file inspection|work in progress|(?:tests|checks) (?:pass|passed)|désolée?
(?:tasks?|work|job) (?:is |are )?(?:now )?(?:complete|completed|done|finished)|bom dia
vielen dank|guten? (?:tag|morgen|abend)|kann .{0,30}nicht (?:weiter)?helfen
keine (?:code ?)?änderungen|ne peux pas .{0,9}aider|aucune modification
much[oa]s gracias|buen[oa]s (?:días|tardes|noches)|lo siento|no puedo ayudar(?:te|le)?
no se (?:realizaron|registraron|hicieron) cambios|non posso aiutar(?:ti|la|e)
grazie mille|mi dispiace|nessuna modifica|não posso (?:te )?ajudar|не могу .{0,20}помочь
nenhuma (?:alteração|mudança)|dank ?je ?wel|kan .{0,9}niet .{0,9}helpen|geen wijzigingen
我?(?:无法|不能)(?:帮助?|协助).{0,9}|没有(?:任何|代码|记录)*(?:更改|改动|变更)
изменений в коде|申し訳(?:ありません|ございません)が?|.{0,5}お手伝いは?できません
コードの?変更は?(?:ありません(?:でした)?|記録されていません)
"""
_PHRASE = pattern(rf"\b(?:{'|'.join(_PHRASES.split(chr(10))[1:-1])})\b")
_BETWEEN = pattern(r"[\W_]+")
_APOSTROPHES = str.maketrans("", "", "'’")
_LONGEST = 200
"""Most characters of a text without content."""


def tells_nothing(text: str) -> bool:
    """Return whether a text is only courtesy, a refusal, or that nothing was done."""
    if len(text) > _LONGEST:
        return False
    plain = _BETWEEN.sub(" ", text.casefold().translate(_APOSTROPHES)).strip()
    return all(word in _NOTHING for word in _PHRASE.sub(" ", plain).split())
