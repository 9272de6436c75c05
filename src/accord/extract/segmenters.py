"""Text to words, by the language: each through a library made for it, imported when it is used."""

from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from itertools import chain

from accord.errors import AccordError, InputError
from accord.phrases import normalise

# Languages written without spaces for which there is no segmenter here yet.
WITHOUT_SPACES = ("ja", "km", "lo", "my", "th")
CHUNK = 20_000

Segmenter = Callable[[str], str]


def segmenter(language: str) -> Segmenter:
    """What turns a text of this language into words parted by single spaces."""
    if language == "zh":
        return _chinese()
    if language in WITHOUT_SPACES:
        raise InputError(f"{language}: no segmenter for this language; segment the text before")
    return _moses(language)


def segment(texts: list[str], language: str, processes: int) -> list[str]:
    """All texts, lower-cased and in NFC, in as many processes."""
    segmenter(language)  # an error is better here than in a process
    chunks = [texts[begin : begin + CHUNK] for begin in range(0, len(texts), CHUNK)]
    if len(chunks) == 1 or processes == 1:
        parts = [_segment_chunk(chunk, language) for chunk in chunks]
    else:
        with ProcessPoolExecutor(processes) as pool:
            parts = list(pool.map(_segment_chunk, chunks, [language] * len(chunks)))
    return list(chain.from_iterable(parts))


def _segment_chunk(texts: list[str], language: str) -> list[str]:
    words = segmenter(language)
    return [normalise(words(text)).lower() for text in texts]


def _chinese() -> Segmenter:
    try:
        from rjieba import cut
    except ImportError:
        raise AccordError("Chinese needs rjieba: pip install 'accord[synth]'") from None
    return lambda text: " ".join(cut(text))


def _moses(language: str) -> Segmenter:
    try:
        from sacremoses import MosesTokenizer
    except ImportError:
        raise AccordError("tokenising needs sacremoses: pip install 'accord[synth]'") from None
    tokeniser = MosesTokenizer(lang=language)
    return lambda text: str(tokeniser.tokenize(text, return_str=True, escape=False))
