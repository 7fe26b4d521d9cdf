"""Parts of answers that several interfaces share."""

from gitmem.answers import without_folders


def test_a_message_shows_no_folder_of_an_absolute_path() -> None:
    for text, shown in {
        "Cannot read /home/ada/shop/a.py: denied.": "Cannot read …/a.py: denied.",
        "error:/home/ada/a.py": "error:…/a.py",
        "'/srv/a:b/shop/a.py'": "'…/a.py'",
        "/home/ada/": "…/",
        "src/shop/a.py and /a.py": "src/shop/a.py and /a.py",
        "http://127.0.0.1:80/docs/a": "http://127.0.0.1:80/docs/a",
    }.items():
        assert without_folders(text) == shown
