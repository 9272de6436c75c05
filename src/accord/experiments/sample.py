"""A small sample to try Accord on: texts about everyday life in German and English, a dictionary.

The sentences are drawn from the grammar in sample.txt, independently for each language: the texts
are comparable, not parallel. As in real text, words occur with the words they go with: a baker
sells fresh bread, and a nurse changes a clean bandage.
"""

from importlib.resources import files
from pathlib import Path
from random import Random
from typing import Literal, NamedTuple, get_args

from accord.errors import OutputError
from accord.system.writing import output_errors, write_text

SENTENCES = 2_000
DICTIONARY_ENTRIES = 60
SampleLanguage = Literal["german", "english"]
SAMPLE_NAMES = ("german.txt", "english.txt", "dictionary.tsv", "gold.tsv")
ACCUSATIVES = {"Patient": "Patienten", "Kunde": "Kunden", "Zeuge": "Zeugen", "Planet": "Planeten"}
INFLECTED = {"müde": "müde", "hoch": "hohe", "teuer": "teure"}


class SampleWord(NamedTuple):
    """A word or phrase in both languages."""

    german: str
    english: str


class Noun(NamedTuple):
    article: str  # der, die or das
    german: str
    english: str


class Scene(NamedTuple):
    """Somebody, and what they are like, do (a verb and its objects), and where."""

    subject: Noun
    adjectives: list[SampleWord]
    actions: list[tuple[SampleWord, list[Noun]]]
    places: list[SampleWord]


class Grammar(NamedTuple):
    scenes: list[Scene]
    adjectives: dict[str, list[SampleWord]]  # of each German noun
    times: list[SampleWord]


class SampleFiles(NamedTuple):
    """The files of the sample: two texts, a dictionary to start from, and all word pairs."""

    german: Path
    english: Path
    dictionary: Path
    gold: Path

    @classmethod
    def of(cls, folder: Path) -> "SampleFiles":
        """Return the paths of the files in this folder."""
        return cls(*(folder / name for name in SAMPLE_NAMES))


def write_sample(folder: Path, *, overwrite: bool = True) -> SampleFiles:
    """Write the files of the sample to a folder, which is made if there is none."""
    out = SampleFiles.of(folder)
    if not overwrite and (existing := next((file for file in out if file.exists()), None)):
        raise OutputError(f"{existing}: exists; replace it with --force")
    with output_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)
    grammar = read_grammar()
    for random, language in enumerate(get_args(SampleLanguage)):
        rng = Random(random)
        write_text(
            folder / f"{language}.txt",
            (make_sentence(grammar, language, rng) for _ in range(SENTENCES)),
        )
    words = [f"{german}\t{english}" for german, english in list_word_pairs(grammar)]
    write_text(out.gold, words)
    Random(2).shuffle(words)
    write_text(out.dictionary, words[:DICTIONARY_ENTRIES])
    return out


def read_grammar() -> Grammar:
    text = files("accord.experiments").joinpath("sample.txt").read_text(encoding="utf-8")
    _, scenes, things, times = (
        [line for line in part.splitlines() if not line.startswith("# ") and line]
        for part in text.split("\n# ")
    )
    made = [_parse_scene(line) for line in scenes[1:]]
    adjectives = {scene.subject.german: scene.adjectives for scene in made}
    adjectives |= {
        noun: _parse_pairs(qualities)
        for noun, qualities in (line.split(": ") for line in things[1:])
    }
    return Grammar(made, adjectives, _parse_pairs(times[1]))


def _parse_scene(line: str) -> Scene:
    subject, adjectives, actions, places = line.split(" | ")
    parsed = []
    for action in actions.split("; "):
        verb, objects = action.split(": ")
        parsed.append((_parse_pairs(verb)[0], _parse_nouns(objects)))
    return Scene(_parse_nouns(subject)[0], _parse_pairs(adjectives), parsed, _parse_pairs(places))


def _parse_pairs(text: str) -> list[SampleWord]:
    return [SampleWord(*pair.split(", ")) for pair in text.split("; ")]


def _parse_nouns(text: str) -> list[Noun]:
    words = text.split(", ")
    nouns = []
    for german, english in zip(words[::2], words[1::2], strict=True):
        article, noun = german.split()
        nouns.append(Noun(article, noun, english))
    return nouns


def make_sentence(grammar: Grammar, language: SampleLanguage, rng: Random) -> str:
    """Draw one sentence: the first scenes are the most frequent ones."""
    many = len(grammar.scenes)
    number = int(rng.expovariate(0.1)) % many if rng.random() < 0.5 else rng.randrange(many)
    scene = grammar.scenes[number]
    verb, objects = rng.choice(scene.actions)
    is_german = language == "german"
    make = make_german if is_german else make_english
    acting = make(scene.subject, _draw_adjective(grammar, scene.subject, rng), is_object=False)
    thing = rng.choice(objects)
    acted_on = make(thing, _draw_adjective(grammar, thing, rng), is_object=True)
    words = [acting, getattr(verb, language), acted_on]
    if rng.random() < 0.35:
        time = getattr(rng.choice(grammar.times), language)
        # German keeps the verb in second place.
        words = [time, words[1], acting, acted_on] if is_german else [time, *words]
    if rng.random() < 0.5:
        words.append(getattr(rng.choice(scene.places), language))
    sentence = " ".join(words)
    return f"{sentence[0].upper()}{sentence[1:]}."


def _draw_adjective(grammar: Grammar, noun: Noun, rng: Random) -> SampleWord | None:
    return rng.choice(grammar.adjectives[noun.german]) if rng.random() < 0.55 else None


def make_german(noun: Noun, adjective: SampleWord | None, *, is_object: bool) -> str:
    """A noun phrase with the definite article, as the subject or the direct object."""
    is_masculine_object = is_object and noun.article == "der"
    words = ["den" if is_masculine_object else noun.article]
    if adjective:
        words.append(inflect(adjective.german) + ("n" if is_masculine_object else ""))
    word = ACCUSATIVES.get(noun.german, noun.german) if is_masculine_object else noun.german
    return " ".join([*words, word])


def make_english(noun: Noun, adjective: SampleWord | None, *, is_object: bool) -> str:  # noqa: ARG001
    return " ".join(["the", *([adjective.english] if adjective else []), noun.english])


def inflect(adjective: str) -> str:
    """The form of a German adjective after the definite article, in the nominative."""
    return INFLECTED.get(adjective, f"{adjective}e")


def list_word_pairs(grammar: Grammar) -> list[SampleWord]:
    """All translations in the grammar: lower-cased nouns and verbs, and inflected adjectives."""
    nouns = [scene.subject for scene in grammar.scenes]
    nouns += [noun for scene in grammar.scenes for _, objects in scene.actions for noun in objects]
    verbs = [verb for scene in grammar.scenes for verb, _ in scene.actions]
    adjectives = [pair for pairs in grammar.adjectives.values() for pair in pairs]
    pairs = [SampleWord(noun.german.lower(), noun.english) for noun in nouns]
    pairs += verbs
    pairs += [
        SampleWord(inflect(adjective.german), adjective.english.lower()) for adjective in adjectives
    ]
    return list(dict.fromkeys(pairs))
