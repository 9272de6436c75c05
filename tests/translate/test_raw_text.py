"""Raw text around the decoder: what is protected, and how translations are written."""

import gzip
import json
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord import train_language_model, translate_sentences
from accord.corpus.text.extraction import Preparation
from accord.errors import InputError
from accord.translate.orthography import Orthography, classify
from accord.translate.placeholders import ProtectedLine
from accord.translate.raw_text import RawText


@pytest.mark.parametrize(
    ("line", "protected"),
    [
        ("see https://a.org/x?y=1, or www.b.org.", ["https://a.org/x?y=1", "www.b.org"]),
        ("write to some.one@mail.a.org!", ["some.one@mail.a.org"]),
        ('<b class="x">bold</b> &amp; <br/>', ['<b class="x">', "</b>", "&amp;", "<br/>"]),
        ("%s of %(name)s, {0} and ${HOME}", ["%s", "%(name)s", "{0}", "${HOME}"]),
        ("1 < 2 and 3 > 2, 50% sure, a@b", []),
        ("访问https://example.com/a?b=c,查看更多信息。", ["https://example.com/a?b=c"]),
        ("请联系info@x.com了解详情，共%d条", ["info@x.com", "%d"]),
        ("a letter \ue000 of the private use area", []),
    ],
)
def test_what_is_not_translated(line: str, protected: list[str]) -> None:
    found = ProtectedLine.of(line)
    assert [original.text for original in found.originals] == protected
    restored = found.restore(found.text)
    assert "".join(restored.split()) == "".join(line.replace("\ue000", " ").split())


def test_protected_text_keeps_its_spaces_and_may_be_moved() -> None:
    found = ProtectedLine.of("the <b>old</b> house: https://a.org")
    first, second, third = (chr(0xE000 + n) for n in range(3))
    assert found.text.split() == ["the", first, "old", second, "house:", third]
    moved = f"{third} : das {first} alte {second} haus"
    assert found.restore(moved) == "https://a.org : das <b>alte</b> haus"
    # Languages without spaces do not say whether there is a space in another language.
    chinese = ProtectedLine.of("访问https://a.org看")
    assert chinese.restore(f"visit {first} and see") == "visit https://a.org and see"
    assert chinese.restore(f"访问{first}看") == "访问https://a.org看"
    next_to_each_other = ProtectedLine.of("x <b> <i> y")
    words = " ".join(next_to_each_other.text.split())
    assert next_to_each_other.restore(words) == "x <b> <i> y"


@given(st.text(max_size=40))
def test_any_line_is_restored(line: str) -> None:
    """Up to white space, and to letters of the private use area."""
    found = ProtectedLine.of(line)
    restored = found.restore(found.text)
    plain = "".join(" " if "\ue000" <= letter <= "\uf8ff" else letter for letter in line)
    assert "".join(restored.split()) == "".join(plain.split())


GERMAN = """Das Haus (alt, aber groß) steht in Berlin.
Er sagte: „Das Haus ist alt“, und ging nach Berlin.
In Berlin steht ein altes Haus; es ist groß!
Sie sagt "nein" und geht, wie in Berlin üblich.
Ein "altes" Haus, ein E-Mail-Konto und 3 % Zinsen?
""".splitlines()


def test_a_language_shows_how_it_is_written(tmp_path: Path) -> None:
    tokenise = Preparation("de")
    learned = Orthography.learn(GERMAN * 3, tokenise)
    assert learned.capitalised
    assert {"haus": "Haus", "berlin": "Berlin"}.items() <= learned.forms.items()
    assert not {"ist", "alt", "in"} & learned.forms.keys()
    for line in GERMAN:
        assert learned.write(tokenise(line.lower()).split()) == line
    assert learned.write([]) == ""
    # Two marks that were never seen together: each side says whether there is a space.
    assert learned.write(["haus", ")", ",", "(", "alt", ")"]) == "Haus), (alt)"
    learned.save(tmp_path / "o.json")
    assert Orthography.read(tmp_path / "o.json") == learned
    (tmp_path / "o.json").write_text("{}")
    with pytest.raises(InputError, match=r"o.json: cannot be read; adapt again"):
        Orthography.read(tmp_path / "o.json")


def test_languages_without_spaces_and_without_capitals() -> None:
    lines = ["开源软件，例如 Linux。", "我们使用 Linux 和开源软件。"] * 3
    learned = Orthography.learn(lines, Preparation("zh"))
    assert not learned.capitalised
    words = ["我们", "使用", "开源", "软件", "，", "例如", "linux", "。"]
    assert learned.write(words) == "我们使用开源软件，例如 Linux。"
    assert classify(["开源", "linux", "，", '"', '"']) == [
        "CJK",
        "word",
        "，",
        '" opens',
        '" closes',
    ]


def test_clitics_are_joined() -> None:
    lines = ["L'école est ouverte, l'été aussi : d'accord ?"] * 3
    learned = Orthography.learn(lines, Preparation("fr"))
    raw = RawText.of(["l'école"], learned, "fr")
    assert raw.split(Preparation("fr", lower=True)) == [["l'", "école"]]
    assert raw.write(0, "l' école est ouverte : d' accord ?") == "L'école est ouverte : d'accord ?"


def test_raw_sentences_are_translated_to_text(tmp_path: Path) -> None:
    """One line for each line, also for empty ones."""
    table = "das ||| the ||| 1 1 1 1\nhaus ||| house ||| 1 1 1 1\nin ||| in ||| 1 1 1 1\n"
    (tmp_path / "table.gz").write_bytes(gzip.compress(table.encode()))
    (tmp_path / "text").write_text("the house in berlin\nthe house\n")
    train_language_model(tmp_path / "text", tmp_path / "lm.arpa", order=2)
    english = ["The house (in Berlin), see above.", "In Berlin, the house is: old."] * 3
    Orthography.learn(english, Preparation("en")).save(tmp_path / "orthography.json")
    (tmp_path / "results.json").write_text(json.dumps({"languages": ["de", "en"]}))
    lines = ["Das Haus in BERLIN, 14.5 <b>Haus</b>.", "", "https://a.org/Das"]
    found = translate_sentences(lines, tmp_path, distortion_limit=0)
    assert found == ["The house in Berlin, 14.5 <b>house</b>.", "", "https://a.org/Das"]
    assert translate_sentences(["das haus ,"], tmp_path, pretokenized=True) == ["the house ,"]
    (listed,) = translate_sentences(["das <b>"], tmp_path, top=1, distortion_limit=0)
    assert listed.startswith("0 ||| the <b> ||| ")
    # Another table has no languages of its own.
    translate = partial(
        translate_sentences,
        ["Das Haus!"],
        table=tmp_path / "table.gz",
        lm=tmp_path / "lm.arpa",
        source_lang="de",
        lower=True,
        distortion_limit=0,
    )
    assert translate() == ["the house !"]
    assert translate(target_lang="en") == ["the house!"]
