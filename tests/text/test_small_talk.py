"""What tells nothing, in the languages of those who say it."""

import time

from support.rounds import every_row

from gitmem.text.small_talk import tells_nothing

NOTHING = [
    *("Thank you so much!", "Thanks a lot for your help", "hello", "Hi there!"),
    *("I cannot help with that.", "I’m sorry, but I can't assist with that request."),
    *("no code changes were recorded", "Only file inspection occurred.", "ok", "?!"),
    *("looks good to me", "All tests pass.", "Task completed", "work in progress"),
    *("I don't have information about that", "no changes were made", "Well done"),
    *("Vielen Dank für die Hilfe!", "Dabei kann ich dir leider nicht helfen."),
    *("Es wurden keine Codeänderungen vorgenommen.", "Guten Morgen"),
    *("Merci beaucoup pour votre aide !", "Je ne peux pas vous aider avec cela."),
    *("Aucune modification du code n'a été enregistrée", "¡Muchas gracias!"),
    *("No puedo ayudarte con eso.", "No se registraron cambios en el código."),
    *("Grazie mille!", "Non posso aiutarti con questo.", "Muito obrigado!"),
    *("Não posso ajudar com isso.", "Nenhuma alteração no código foi registrada"),
    *("Dank je wel!", "Daar kan ik je niet mee helpen.", "Большое спасибо!"),
    *("Я не могу вам с этим помочь.", "谢谢你", "抱歉，我无法帮助您处理这个请求"),
    *("没有代码更改", "ありがとうございます", "コードの変更はありませんでした"),
    "申し訳ありませんが、お手伝いできません",
]
SOMETHING = [
    *("Never retry", "Never push to main", "Use tabs", "Do not use tabs"),
    *("No code changes without a test", "No changes to the schema on Fridays"),
    *("Thank-you page lives in thanks.py", "Greetings are in greet.py"),
    *("We cannot help the cache: it is cold", "All requests are made with httpx"),
    *("Every request needs a token", "Changes were made to retry.py"),
    *("Keine Codeänderungen ohne Test", "Pas de modification de la base"),
    *("没有测试不要合并", "コードの変更はテストが必要です"),
]


@every_row("text", NOTHING)
def test_courtesy_and_refusals_tell_nothing(text: str) -> None:
    assert tells_nothing(text)


@every_row("text", SOMETHING)
def test_a_short_rule_tells_something(text: str) -> None:
    assert not tells_nothing(text)


def test_a_long_text_is_not_waited_for() -> None:
    start = time.process_time()
    for text in ("kan niet " * 22, "kann " * 40, "no code " * 100_000):
        tells_nothing(text)
    assert time.process_time() - start < 0.5
