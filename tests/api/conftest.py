"""The sample texts and a run that was mined from them, for the examples."""

from pathlib import Path

import pytest

from accord import mine, write_sample


@pytest.fixture(scope="session")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sample texts, and de-en, a run that was mined from them."""
    folder = tmp_path_factory.mktemp("sample")
    german, english, dictionary, _ = write_sample(folder)
    mine(german, english, dictionary, source_lang="de", target_lang="en", out=folder / "de-en")
    return folder
