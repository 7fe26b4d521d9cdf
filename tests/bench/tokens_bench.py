"""Compares the estimate of tokens with what a tokenizer counts, and counts the tools.

    python tests/bench/tokens_bench.py COMMAND [ARGUMENT ...]

The command gets a text a line as a JSON string, and prints the count of each on a line.
For o200k_base by the npm package gpt-tokenizer, `node count.js` with:

    const {encode} = require("gpt-tokenizer/encoding/o200k_base")
    require("readline").createInterface({input: process.stdin})
      .on("line", line => console.log(encode(JSON.parse(line)).length))
"""

import json
import random
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

import anyio

sys.path.insert(0, str(Path(__file__).parents[1]))

from bench.measures import table
from support.mcp_client import texts_at_start

from gitmem.actions.context.page import Page, RowGroup, Section, framed
from gitmem.actions.context.rows import of_memory
from gitmem.config import read_environment
from gitmem.documents.memory.memory import Category, Memory
from gitmem.text.counting import estimated_tokens

MEMORIES = 10_000
BUDGETS = (100, 150, 300, 450, 1200, 4000)
_NOW = datetime(2026, 1, 1, tzinfo=UTC)
_TOLD = {
    "English": "The payment provider times out after thirty seconds, so retries need an"
    " idempotency key. Run the migration before the deployment and never during it."
    " Tests need a database that nobody else writes to. Prefer small functions and"
    " explicit errors. We gave up on caching because invalidation was wrong twice.",
    "German": "Die Datenbankverbindung wird nach dreißig Sekunden Leerlauf geschlossen."
    " Wiederholungsversuche brauchen einen Idempotenzschlüssel, sonst wird doppelt"
    " abgebucht. Vor der Bereitstellung muss die Schemaänderung durchlaufen."
    " Zwischenspeicherung wurde verworfen, weil Ungültigkeitserklärungen fehlten."
    " Fehlermeldungen erscheinen grundsätzlich in der Benutzeroberflächensprache.",
    "Korean": "결제 서비스는 삼십 초 뒤에 시간이 초과되므로 재시도에는 멱등 키가"
    " 필요합니다. 배포하기 전에 반드시 데이터베이스 마이그레이션을 실행해야 합니다."
    " 캐시 무효화가 두 번이나 잘못되어 캐싱을 포기했습니다. 작은 함수와 명확한 오류"
    " 메시지를 선호합니다. 테스트는 아무도 쓰지 않는 저장소를 요구합니다.",
    "Hindi": "भुगतान सेवा तीस सेकंड के बाद समय समाप्त कर देती है, इसलिए दोबारा प्रयास के"
    " लिए कुंजी चाहिए। परिनियोजन से पहले डेटाबेस का स्थानांतरण अवश्य चलाएँ। कैश को"
    " छोड़ दिया गया क्योंकि अमान्यकरण दो बार गलत हुआ। छोटे फलन और स्पष्ट त्रुटि संदेश"
    " पसंद किए जाते हैं। परीक्षणों को अलग डेटाबेस की आवश्यकता है।",
    "Thai": "บริการชำระเงินหมดเวลาหลังจากสามสิบวินาที ดังนั้นการลองใหม่ต้องมีคีย์เฉพาะ"
    " ต้องย้ายฐานข้อมูลก่อนการนำขึ้นระบบเสมอ เราเลิกใช้แคชเพราะการล้างข้อมูลผิดพลาดสองครั้ง"
    " ควรเขียนฟังก์ชันสั้นและข้อความแสดงข้อผิดพลาดที่ชัดเจน การทดสอบต้องใช้ฐานข้อมูลแยกต่างหาก",
    "Chinese": "支付服务在三十秒后超时 因此重试必须带幂等键 部署之前务必先执行迁移"
    " 缓存失效两次出错 所以放弃了缓存方案 优先编写短小函数和明确的错误信息"
    " 测试需要独立的数据库 不要在主分支上直接提交 日志里不得出现用户的隐私",
    "Japanese": "決済サービスは三十秒でタイムアウトするため 再試行には鍵が必要です"
    " デプロイの前に必ずデータベースの移行を実行してください"
    " キャッシュの無効化が二度失敗したので採用を見送りました"
    " 小さな関数と明確なエラーメッセージを優先します テストには専用の環境が要ります",
    "code": "def retry(call, *, times=3): for attempt in range(times): return call()"
    " except TimeoutError as error: last_error = error; await asyncio.sleep(2**attempt)"
    " SELECT id, created_at FROM payments WHERE state = 'open' ORDER BY created_at"
    ' {"retries":3,"idempotencyKey":"uuid"} const [state, setState] = useState(null)',
    "paths": "src/api/payments/retry.py tests/integration/test_retry_idempotency.py"
    " .github/workflows/deploy-staging.yml node_modules/@types/react/index.d.ts"
    " /usr/local/share/ca-certificates/ 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b"
    " packages/web-app/src/components/CheckoutButton/CheckoutButton.module.css",
}


def memories(count: int) -> Iterator[tuple[str, Memory]]:
    """Statements of five to sixty words in random order, with their languages."""
    chance = random.Random(7)
    for number in range(count):
        language = [*_TOLD][number % len(_TOLD)]
        words = chance.choices(_TOLD[language].split(), k=chance.randint(5, 60))
        kind = chance.choice([*Category])
        text = " ".join(words)
        yield (
            language,
            Memory(
                id=f"m-{number:012x}",
                text=text,
                kind=kind,
                created_at=_NOW,
                updated_at=_NOW,
            ),
        )


def contexts(told: Sequence[Memory]) -> Iterator[tuple[int, str]]:
    """All memories in contexts of each budget, as many in each as have room."""
    for budget in BUDGETS:
        left = [RowGroup((of_memory(each),)) for each in told]
        while left:
            some = left[: budget // 10]
            page = Page(budget - estimated_tokens(framed("Context", ["-"])), 1_000_000)
            page.fill(Section("memories", "What is known:", some), page.tokens)
            yield budget, framed("Context", page.rows)
            left = left[len(some) :]


def counted(texts: Iterable[str], tokenizer: Sequence[str]) -> list[int]:
    lines = "".join(f"{json.dumps(text)}\n" for text in texts)
    ran = subprocess.run(tokenizer, input=lines, text=True, check=True,
                         stdout=subprocess.PIPE)  # fmt: skip
    return [int(line) for line in ran.stdout.split()]


def main() -> None:
    tokenizer = sys.argv[1:] or sys.exit(__doc__)
    header = ["text", "tokens", "estimate"]
    table("Texts of the first request", header, _at_start(tokenizer))
    known = [*memories(MEMORIES)]
    counts = counted((each.text for _, each in known), tokenizer)
    header = ["language", "lowest", "estimate of all to count", "highest", "too low"]
    table(f"{MEMORIES:,} memories", header, _by_language(known, counts))
    made = [*contexts([each for _, each in known])]
    counts = counted((text for _, text in made), tokenizer)
    rows = [(budget, count) for (budget, _), count in zip(made, counts, strict=True)]
    header = ["budget", "contexts", "most tokens", "above"]
    table("Contexts of them", header, _by_budget(rows))


def _at_start(tokenizer: Sequence[str]) -> Iterator[list[object]]:
    """What a first request has before the prompt, as Claude Code sends it."""
    with TemporaryDirectory() as home:
        folder = Path(home)
        environment = read_environment({"HOME": home}, folder, folder)
        told = anyio.run(texts_at_start, environment)
    estimates = [estimated_tokens(each) for each in told.values()]
    counts = counted(told.values(), tokenizer)
    yield from map(list, zip(told, counts, estimates, strict=True))
    yield ["all", sum(counts), sum(estimates)]


def _by_language(
    known: Sequence[tuple[str, Memory]], counts: Sequence[int]
) -> Iterator[list[object]]:
    for language in _TOLD:
        pairs = [
            (estimated_tokens(each.text), count)
            for (said, each), count in zip(known, counts, strict=True)
            if said == language
        ]
        shares = sorted(estimate / count for estimate, count in pairs)
        total = sum(each for each, _ in pairs) / sum(count for _, count in pairs)
        low = sum(share < 1 for share in shares)
        figures = (f"{each:.2f}" for each in (shares[0], total, shares[-1]))
        yield [language, *figures, low]


def _by_budget(rows: Sequence[tuple[int, int]]) -> Iterator[list[object]]:
    for budget in BUDGETS:
        found = [count for of, count in rows if of == budget]
        yield [budget, len(found), max(found), sum(each > budget for each in found)]


if __name__ == "__main__":
    main()
