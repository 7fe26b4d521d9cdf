"""Which prompts want something remembered."""

import time

from support.rounds import every_row

from gitmem.hook.prompt_answers import asks_to_remember

WISHES = """
remember that we use tabs
Please remember: no force pushes
Fix the test. And remember that CI runs on ARM.
rename the module, and please always remember to run the linter
I want you to remember this for next time: staging is read-only
Use pnpm here (remember that npm breaks the lockfile)
Deploys happen on Fridays. Save this.
Save this for later: the API key rotates on Mondays
we never mock the database, store this in memory
store this as a rule: no default exports
Memorize: the port is 8081
please memorise that the staging host is slow
Keep in mind that the customers are doctors
Rebase first; don't forget to sign the commits
Take a note: the report runs at six
Merk dir, dass wir Tabs nehmen
Mach den Test grün und merk dir, dass er Redis braucht
Wir nehmen Tabs. Speichere das.
Corrige le test, et souviens-toi que la base est en UTC
On déploie le vendredi, mémorise ça
Enregistre ça pour plus tard
Usa tabuladores. Recuerda que no hay espacios
Memoriza: el puerto es 8081
Guarda esto para luego
Ricordati che usiamo i tab
Usiamo i tab, e memorizza questo
Lembre-se de usar tabs
Исправь тест и запомни, что база в UTC
记住我们用 tabs
先修复测试，然后记住端口是 8081
テストを直して、ポートは8081と覚えておいて
테스트를 고치고 포트는 8081이라고 기억해
"""
NO_WISHES = """
Do you remember how the tests ran?
do you remember that bug with the login?
I can't remember that command
does the app remember this setting
the form must remember that value between visits
users have to remember to log out
add a checkbox "remember this device" to the login
rename `remember that` to keep
print('please, remember to save')  as in ```say("and remember that")```
save this file as utf-8
click the button to save this
store this value in the database
Recuerdas cómo corren las pruebas?
Erinnerst du dich an den Fehler?
你还记得那个错误吗？
覚えていますか
the notebook has a memory leak
implement don'tForget()
what does bear in mind mean?
> remember that we use tabs
"""


@every_row("text", WISHES.strip().splitlines())
def test_a_wish_is_seen_anywhere_in_a_prompt(text: str) -> None:
    assert asks_to_remember(text)


@every_row("text", NO_WISHES.strip().splitlines())
def test_a_question_code_and_a_quotation_are_no_wish(text: str) -> None:
    assert not asks_to_remember(text)


@every_row(
    "part",
    [
        *("```\n", "`", '"', "```", "«", "“", "「", "' ", "> ", " ", "\n", " \n", "\t"),
        *(
            "remember that ",
            ", please always ",
            "please\n",
            "don't ",
            "记得",
            "save this ",
        ),
    ],
)
def test_a_hostile_prompt_takes_no_time(part: str) -> None:
    begun = time.process_time()
    asks_to_remember(part * 100_000)
    assert time.process_time() - begun < 2
