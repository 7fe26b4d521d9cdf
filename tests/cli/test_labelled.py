"""What a label announces is stored nowhere, when it comes by the command line."""

from pathlib import Path

from cli.running import Ocm
from redaction.labelled_texts import TELLTALES, everywhere
from support.harness import CLIENT
from support.transcripts import claude_code_file, kept_by_claude_code
from support.user_rule import places_of


def test_an_import_stores_no_value(
    ocm: Ocm, repository: Path, sealed_environment: Path
) -> None:
    kept = kept_by_claude_code(sealed_environment, repository)
    prompts = ["Begin", "\n".join(everywhere()), *everywhere()[::5]]
    claude_code_file(kept, CLIENT, *prompts, cwd=repository)
    assert ocm("import", "claude-code").status == 0
    assert "REDACTED" in ocm("list").text
    assert places_of(repository, *TELLTALES) == []
