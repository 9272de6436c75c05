"""Queries about one phrase, compared with plain loops and with the run itself."""

import json
import math
from pathlib import Path
from shutil import copytree
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord import Accord, AccordError, InputError, SettingError
from accord.cli.query import query
from accord.corpus.phrases import Phrases
from accord.experiments.artificial import Planted, plant
from accord.learning.agreement import Alignment, Links
from accord.learning.model.parameters import Model
from accord.learning.posterior import find_posteriors, posterior_agreement
from accord.learning.search import candidates as candidate_search
from accord.learning.search.candidates import score_empty_phrase
from accord.learning.task import Task
from accord.runs.folder import RunFolder
from accord.runs.query.direction import QueriedCorpus, QueriedDirection
from accord.runs.query.posteriors import QueryDirections, find_candidates
from accord.runs.query.supporting_pairs import FoundPairs
from accord.runs.query.translator import Translator
from accord.runs.results import build_lexicon
from accord.runs.trained import Trained
from accord.settings import Agreement, Settings
from accord.system.runners.threads import Threads
from tests import oracle
from tests.conftest import Run
from tests.learning.test_posterior import all_log_q
from tests.learning.test_search import TinyShards
from tests.strategies import SOURCE_WORDS, TARGET_WORDS, corpora, directions, plain_task

FLOOR = 0.01


@pytest.fixture(scope="module")
def planted() -> Planted:
    return plant(words=100, phrases=400, noise=100)


@pytest.fixture(scope="module")
def folder(planted: Planted, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a finished run."""
    out = tmp_path_factory.mktemp("runs") / "run"
    Accord().fit(planted.source, planted.target, planted.lexicon[:20], out=out)
    return out


@pytest.fixture(scope="module")
def trained(folder: Path) -> Trained:
    return RunFolder(folder).read_trained()


def one_way(source: Phrases, target: Phrases, model: Model, count: int = 100) -> QueriedDirection:
    nothing = Alignment.empty(len(target))
    settings = Settings(candidates=count)
    corpora = QueriedCorpus(source), QueriedCorpus(target)
    return QueriedDirection(*corpora, model, nothing, settings, TinyShards())


def spelled(phrases: Phrases) -> list[oracle.Phrase]:
    return [tuple(phrases[s].split()) for s in range(len(phrases))]


# A word that no corpus has is among them.
asked_phrases = st.lists(st.sampled_from([*TARGET_WORDS, "?"]), min_size=1, max_size=4)


@given(st.data(), st.lists(asked_phrases, min_size=1, max_size=3), st.integers(1, 5))
def test_search_against_plain_loops(
    data: st.DataObject, asked: list[list[str]], count: int
) -> None:
    source, target = data.draw(corpora(SOURCE_WORDS)), data.draw(corpora(TARGET_WORDS))
    drawn = data.draw(directions(source, target, FLOOR))
    way = one_way(source, target, drawn.model, count)
    asked = [words[: target.max_length] for words in asked]
    found = way.search([way.target.number_words(words) for words in asked])
    p, E = drawn.table, spelled(source)
    for words, seen in zip(asked, found, strict=True):
        best = oracle.best_sources(p, FLOOR, drawn.lengths, E, tuple(words))
        np.testing.assert_allclose(seen.scores, [score for score, _ in best][:count], atol=1e-9)
        # Where scores tie but for rounding, either may be first.
        of = {s: score for score, s in best}
        assert [of[s] for s in seen.phrases.tolist()] == pytest.approx(
            [score for score, _ in best][:count]
        )
        everything = [
            oracle.log_phrase_probability(p, FLOOR, drawn.lengths, e, tuple(words))
            - len(words) * math.log(FLOOR)
            for e in E[1:]
        ]
        total = np.logaddexp.reduce([*everything, way.log_empty[len(words)]])
        assert seen.log_total == pytest.approx(total, abs=1e-9)


@given(st.data())
def test_posteriors_are_those_of_all_phrases(data: st.DataObject) -> None:
    """If no candidate is ruled out, and without word order."""
    source, target = data.draw(corpora(SOURCE_WORDS)), data.draw(corpora(TARGET_WORDS))
    forward = data.draw(directions(source, target, FLOOR)).model
    backward = data.draw(directions(target, source, FLOOR)).model
    exact = all_log_q(source, target, forward)
    one, other = one_way(source, target, forward), one_way(target, source, backward)
    for t in range(1, len(target)):
        f = target.words[target.offsets[t] : target.offsets[t + 1]]
        (seen,) = find_candidates(QueryDirections(one, other, -np.inf), [f])
        np.testing.assert_allclose(seen.log_q, exact[seen.phrases, t], atol=1e-8)


def test_queries_agree_with_the_run(trained: Trained) -> None:
    """With the same parameters: in their posteriors, and in the resulting confidence."""
    state, settings = trained.state, trained.settings
    task = Task(trained.source, trained.target, settings, Threads(1))
    agreed = posterior_agreement(task, state.models)
    exact = find_posteriors(task, state.models)
    state = state._replace(
        forward_alignment=agreed.forward,
        backward_alignment=agreed.backward,
        translated=agreed.translated,
        agreed=Links.none(),
    )
    translator = Translator(trained._replace(state=state))
    of_pair = {
        (s, t): n
        for n, (s, t) in enumerate(zip(exact.pairs.source, exact.pairs.target, strict=True))
    }
    numbers = trained.target.numbers
    off, sure = [], []
    for s, t, confidence in list(zip(*agreed.found, strict=True))[::4]:
        found = translator.translate(trained.source[s]).phrases
        for pair in found:
            n = of_pair.get((s, numbers[pair.target]))
            if n is not None:  # what may count in both directions is known better by the run
                off.append(abs(pair.forward_posterior - np.exp(exact.forward.log_q[n])))
                off.append(abs(pair.backward_posterior - np.exp(exact.backward.log_q[n])))
        (own,) = (pair for pair in found if pair.target == trained.target[t])
        assert own.confidence is not None
        sure.append(abs(own.confidence - confidence))
    assert np.mean(off) < 0.01
    assert np.mean(sure) < 0.01
    assert np.quantile(sure, 0.95) < 0.05


def test_pairs_of_the_run_keep_their_values(trained: Trained) -> None:
    translator, links = Translator(trained), trained.state.agreed
    for s, t, weight in list(zip(*links, strict=True))[::40]:
        found = translator.translate(trained.source[s], 20).phrases
        (own,) = (pair for pair in found if pair.found)
        assert own.target == trained.target[t]
        assert own.confidence == weight
        probabilities = [pair.confidence or 0.0 for pair in found]
        assert probabilities == sorted(probabilities, reverse=True)


def test_the_best_translation_of_most_phrases_is_right(planted: Planted, trained: Trained) -> None:
    translator = Translator(trained)
    right = [
        [pair.target for pair in translator.translate(source).phrases[:1]] == [target]
        for source, target in planted.gold[::10]
    ]
    assert np.mean(right) > 0.8


def test_support_contains_the_same_word_links(trained: Trained) -> None:
    translator = Translator(trained)
    pairs = {
        (trained.source[s], trained.target[t]): weight
        for s, t, weight in zip(*trained.state.agreed, strict=True)
    }
    (best, *_) = translator.translate(trained.source[trained.state.agreed.source[7]]).phrases
    e, f = best.source.split(), best.target.split()
    assert len(best.support) == 3
    for one in best.support:
        assert pairs[one.source, one.target] == one.confidence
        assert (one.source, one.target) != (best.source, best.target)
        assert any(
            e[i] in one.source.split() and f[j] in one.target.split() for i, j in best.alignment
        )


@given(st.data(), st.integers(1, 4))
def test_pairs_with_words_against_plain_loops(data: st.DataObject, count: int) -> None:
    source, target = data.draw(corpora(SOURCE_WORDS)), data.draw(corpora(TARGET_WORDS))
    size = min(len(source), len(target)) - 1
    weights = data.draw(st.lists(st.sampled_from([0.4, 0.7, 0.9]), min_size=size, max_size=size))
    s = np.array(data.draw(st.permutations(range(1, len(source)))), np.int32)[:size]
    links = Links(s, np.arange(1, size + 1, dtype=np.int32), np.array(weights))
    pairs = list(zip(links.source.tolist(), links.target.tolist(), weights, strict=True))
    found = FoundPairs(source, target, links, TinyShards())
    words = [(e, f) for e in range(1, len(source.vocabulary)) for f in (1, len(target.vocabulary))]
    held = found.find_support([[one] for one in words], [-1] * len(words), count)
    for (e, f), seen in zip(words, held, strict=True):
        target_word = target.vocabulary.words[f] if f < len(target.vocabulary) else "?"
        expected = oracle.pairs_with_words(
            spelled(source), spelled(target), pairs, source.vocabulary.words[e], target_word
        )
        assert seen == expected[:count]
    for n, (s_n, t_n, _) in enumerate(pairs):
        ends = np.array([s_n, s_n], np.int32), np.array([t_n, 0], np.int32)
        assert found.find(*ends).tolist() == [n, -1]


def test_a_run_without_pairs() -> None:
    found = FoundPairs(Phrases.of(["a"]), Phrases.of(["x"]), Links.none(), TinyShards())
    assert found.find(np.array([1], np.int32), np.array([1], np.int32)).tolist() == [-1]
    assert found.find_support([[(1, 1)], []], [-1, -1], 3) == [[], []]


@given(corpora(SOURCE_WORDS), st.lists(st.sampled_from([*SOURCE_WORDS, "?"]), min_size=1))
def test_phrases_and_words_are_found_by_bisection(phrases: Phrases, words: list[str]) -> None:
    side, index = QueriedCorpus(phrases), phrases.vocabulary.index
    stranger = len(phrases.vocabulary)
    assert side.number_words(words).tolist() == [index.get(word, stranger) for word in words]
    text = " ".join(words)
    assert side.find(text) == phrases.numbers.get(text, 0)
    numbers = np.array([len(phrases) - 1, 1], np.int32)
    some = phrases.select(numbers)
    assert [some[1], some[2]] == [phrases[len(phrases) - 1], phrases[1]]


def swapped(trained: Trained) -> Trained:
    state = trained.state
    order = np.lexsort((state.agreed.target, state.agreed.source))
    forward, backward = (log_q[order] for log_q in state.log_q)
    return trained._replace(
        source=trained.target,
        target=trained.source,
        seed=trained.seed.swapped(),
        wanted=trained.wanted[::-1],
        state=state._replace(
            forward=state.backward,
            backward=state.forward,
            forward_alignment=state.backward_alignment,
            backward_alignment=state.forward_alignment,
            agreed=state.agreed.swapped(),
            log_q=(backward, forward),
        ),
    )


def test_reverse_queries_equal_queries_of_the_swapped_model(trained: Trained) -> None:
    here, there = Translator(trained), Translator(swapped(trained))
    for t in (1, 20, 200, 333):
        found = here.translate(trained.target[t], 5, reverse=True).phrases
        others = there.translate(trained.target[t], 5).phrases
        assert found
        assert [(pair.target, pair.source) for pair in others] == [pair[:2] for pair in found]
        for pair, other in zip(found, others, strict=True):
            assert pair.confidence == pytest.approx(other.confidence)
            assert pair.forward_posterior == pytest.approx(other.backward_posterior)
            assert pair.backward_posterior == pytest.approx(other.forward_posterior)
            assert {(j, i) for i, j in pair.alignment} == set(other.alignment)
            assert pair.found == other.found


def test_words_have_their_entries_of_the_lexicon(trained: Trained) -> None:
    translator = Translator(trained)
    entries = build_lexicon(trained)
    for entry in entries[::10]:
        assert entry in translator.translate(entry.source).words
        assert entry in translator.translate(entry.target, reverse=True).words
        sure = [one.confidence or 0.0 for one in translator.translate(entry.source).words]
        assert sure == sorted(sure, reverse=True)
    assert not translator.translate(next(iter(trained.source.numbers)) + " " + entry.source).words


def test_phrases_that_are_in_no_corpus(planted: Planted, trained: Trained) -> None:
    """They compete with all others; unknown words change nothing."""
    translator = Translator(trained)
    for phrase, unknown in (
        (planted.lexicon[5][0] + " " + planted.lexicon[6][0], []),
        (f"{planted.lexicon[5][0]} nobody", ["nobody"]),
    ):
        assert not QueriedCorpus(trained.source).find(phrase)
        answer = translator.translate(f"  {phrase} ")
        assert answer.unknown == unknown
        assert answer.phrases
        for pair in answer.phrases:
            assert pair.source == phrase
            assert not pair.found
            assert 0 <= pair.forward_posterior <= 1
            assert 0 <= pair.backward_posterior <= 1
            assert 0 < (pair.confidence or 0) < 1


def test_invalid_queries(planted: Planted, trained: Trained) -> None:
    translator = Translator(trained)
    source, target = planted.lexicon[0]
    with pytest.raises(InputError, match="expected a phrase of space-separated words"):
        translator.translate("  ")
    with pytest.raises(InputError, match=r"no body: .* found none; write them as in the phrases"):
        translator.translate("no\tbody")
    with pytest.raises(InputError, match=r"some of the other language; query .*--reverse"):
        translator.translate(target)
    with pytest.raises(InputError, match=r"some of the other language; query .*--reverse"):
        translator.translate(source, reverse=True)
    with pytest.raises(InputError, match=r"at most 5 words, the longest .* found 6; query a part"):
        translator.translate(" ".join([source] * 6))
    with pytest.raises(SettingError, match="top: must be a whole number of at least 1, found 0"):
        translator.translate(source, 0)


def test_lengths_that_no_phrase_has() -> None:
    source, target = Phrases.of(["a b", "a", "b c d"]), Phrases.of(["x", "x y z"])
    learned = Accord(agreement="inner").fit(["a b", "a", "b c d"], ["x", "x y z"], [("a", "x")])
    assert learned.translate_phrase("x y", reverse=True).phrases[0].source in set(source.numbers)
    empty = score_empty_phrase(plain_task(source, target), learned._trained.state.forward)
    assert np.isneginf(empty[2])


@pytest.mark.parametrize("agreement", ["inner", "outer", "none"])
def test_the_papers_methods_have_no_confidence(small: Planted, agreement: Agreement) -> None:
    """They are ranked by the posteriors of both directions."""
    learned = Accord(agreement=agreement, iterations=3)
    learned.fit(small.source, small.target, small.lexicon[:30])
    word = small.lexicon[1][0]
    answer = learned.translate_phrase(word)
    assert answer.words[0].confidence is None
    assert all(pair.confidence is None for pair in answer.phrases)
    both = [pair.forward_posterior * pair.backward_posterior for pair in answer.phrases]
    assert both == sorted(both, reverse=True)
    assert both
    assert all(one.confidence is None for pair in answer.phrases for one in pair.support)


def test_a_run_is_loaded_as_it_was_learned(planted: Planted, folder: Path) -> None:
    loaded = Accord.load(folder)
    fitted = Accord().fit(planted.source, planted.target, planted.lexicon[:20])
    assert loaded.settings == fitted.settings
    assert loaded.lexicon_ == fitted.lexicon_
    assert loaded.phrases_ == fitted.phrases_
    assert loaded.quality_ == fitted.quality_
    assert [row["iteration"] for row in loaded.trace_] == [*range(1, len(fitted.trace_) + 1)]
    phrase = planted.gold[3][0]
    assert loaded.translate_phrase(phrase, 3) == fitted.translate_phrase(phrase, 3)
    # What was learned before is forgotten.
    fitted.fit(["a b", "a c"], ["x y", "x z"], [("a", "x")])
    with pytest.raises(InputError, match="found none"):
        fitted.translate_phrase(phrase)


def test_words_without_a_learned_translation() -> None:
    with pytest.raises(AccordError, match="nothing is learned yet: call fit, or load a run"):
        Accord().translate_phrase("a")
    with pytest.raises(AccordError, match="nothing is learned yet"):
        Accord().lexicon_  # noqa: B018


def test_the_command(capsys: pytest.CaptureFixture[str], planted: Planted, folder: Path) -> None:
    source, target = planted.gold[0]
    query(folder, source)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["phrase", "confidence", "q→", "q←"]
    assert lines[1].startswith(target)
    assert "found by the run" in lines[2]
    assert all(f" = {word}" in lines[3] for word in target.split())
    assert "as in " in lines[4]

    word, translation = planted.lexicon[30]
    query(folder, translation, reverse=True, top=1)
    assert capsys.readouterr().out.splitlines()[1].startswith(word)

    query(folder, f"{word} nobody", as_json=True, top=2)
    answer = json.loads(capsys.readouterr().out)
    assert list(answer) == ["query", "unknown", "phrases", "words"]
    assert answer["unknown"] == ["nobody"]
    keys = ["source", "target", "confidence", "forward_posterior", "backward_posterior"]
    assert list(answer["phrases"][0]) == [*keys, "alignment", "found", "support"]
    assert list(answer["phrases"][0]["support"][0]) == ["source", "target", "confidence"]
    query(folder, word, as_json=True, top=1)
    (entry,) = json.loads(capsys.readouterr().out)["words"]
    assert list(entry) == ["source", "target", "forward", "backward", "confidence"]

    query(folder, f"{word} nobody")
    assert "Not in the phrases of the run: nobody" in capsys.readouterr().err


def test_nothing_is_probable(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Such a word is known, but has no translation."""
    phrases = ["a b", "a", "b c d"], ["x", "x y z"]
    Accord(agreement="inner").fit(*phrases, [("a", "x")], out=tmp_path / "run")
    with patch.object(candidate_search, "MIN_WEIGHT", 1e300):
        query(tmp_path / "run", "a")
    assert "No phrase of the run is a probable translation." in capsys.readouterr().out


def test_the_command_fails_with_one_sentence(accord: Run, folder: Path, planted: Planted) -> None:
    done = accord("query", folder, planted.target[0])
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith(f"accord: {planted.target[0]}: expected words")
    assert done.stderr.count("\n") == 1


def test_folders_that_are_not_runs(folder: Path, tmp_path: Path, planted: Planted) -> None:
    with pytest.raises(InputError, match="expected the folder of a finished run, found none"):
        query(tmp_path / "nowhere", "a")
    copytree(folder, tmp_path / "damaged")
    array = tmp_path / "damaged" / "model" / "backward.translation.probabilities.npy"
    content = bytearray(array.read_bytes())
    content[-1] ^= 1
    array.write_bytes(content)
    with pytest.raises(InputError, match=r"damaged, its checksum is not the one in run\.json"):
        query(tmp_path / "damaged", planted.source[0])
    with pytest.raises(InputError, match=r"damaged, its checksum is not the one in run\.json"):
        Accord.load(tmp_path / "damaged")
