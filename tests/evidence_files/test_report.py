# SPDX-License-Identifier: Apache-2.0
"""The report on paper: it can be read, searched, and is the same bytes for the same file."""

import hashlib
import io
import os
import subprocess
import sys
from pathlib import Path

import msgspec
import pypdf
import pytest

from studio.evidence.form import Evidence
from studio.evidence.operators import for_operator
from studio.evidence.pdf import pdf_of
from studio.wording import languages, load_wording
from tests.evidence_files.records import evidence_of, keep, rounds_in
from tests.game.golden_shoe import scripted
from tests.game.table_driver import BY, SECOND, WHY

DIGEST = "5f" * 32


def pages_of(pdf: bytes) -> list[str]:
    return [page.extract_text() for page in pypdf.PdfReader(io.BytesIO(pdf)).pages]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> list[Evidence]:
    """The evidence of every round of a shoe in which everything goes wrong."""
    from studio.store.schema import create

    url = f"sqlite:///{tmp_path_factory.mktemp('record')}/BAC-1.db"
    create(url, "BAC-1")
    heads = keep(url, scripted().log)
    return [evidence_of(url, round_id, heads) for round_id in rounds_in(url)]


@pytest.mark.parametrize("language", languages())
@pytest.mark.req("DSP-1")
def test_every_page_names_the_round_and_its_number_in_every_language(
    made: list[Evidence], language: str
) -> None:
    words = load_wording(language)
    one = made[7]
    pages = pages_of(pdf_of(one, words, DIGEST))
    assert len(pages) >= 3
    for number, text in enumerate(pages, 1):
        assert one.round.round in text
        assert words.report["page"].format(page=number, pages=len(pages)) in text
    whole = "\n".join(pages)
    for part in ("result", "cards", "rulings", "events", "staff", "messages", "proof"):
        assert words.report[part] in whole, part
    assert DIGEST in whole


def test_a_report_tells_cards_results_people_and_proof(made: list[Evidence]) -> None:
    words = load_wording()
    for one in made:
        text = "\n".join(pages_of(pdf_of(one, words, DIGEST)))
        assert all(line.card in text for line in one.cards if line.card is not None)
        assert all(sent.head in text for sent in one.messages)
        assert all(line.staff in text for line in one.staff or ())
        exported = one.proof[-1].exported
        assert exported is not None
        assert (exported.hash or "-") in text


@pytest.mark.req("DSP-1", "REC-2")
def test_an_operators_report_has_no_staff_and_no_burned_card(made: list[Evidence]) -> None:
    words = load_wording()
    hidden = 0
    for one in made:
        pdf = pdf_of(for_operator(one), words, DIGEST)
        text = "\n".join(pages_of(pdf))
        for secret in (BY, SECOND, WHY, "Zoë"):
            assert secret not in text
            assert secret.encode() not in pdf
        sent = "".join(message.payload for message in one.messages)
        for line in one.cards:
            if line.card is not None and f'"{line.card}"' not in sent:
                hidden += 1
                assert line.card not in text
    assert hidden > 5


def test_the_same_file_has_the_same_report_to_the_byte(
    made: list[Evidence], tmp_path: Path
) -> None:
    file = tmp_path / "one.json"
    file.write_bytes(msgspec.json.encode(made[7]))
    program = (
        "import sys, hashlib, pathlib\n"
        "from studio.evidence.checking import evidence_in\n"
        "from studio.evidence.pdf import pdf_of\n"
        "from studio.wording import load_wording\n"
        "made = evidence_in(pathlib.Path(sys.argv[1]).read_bytes())\n"
        "print(hashlib.sha256(pdf_of(made, load_wording(), sys.argv[2])).hexdigest())\n"
    )
    digests = {
        subprocess.run(
            [sys.executable, "-c", program, str(file), DIGEST],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        for seed in ("1", "2")
    }
    here = hashlib.sha256(pdf_of(made[7], load_wording(), DIGEST)).hexdigest()
    assert digests == {here}


def test_no_language_lacks_a_word_of_the_report() -> None:
    known = load_wording().report.keys()
    assert all(load_wording(one).report.keys() == known for one in languages())
