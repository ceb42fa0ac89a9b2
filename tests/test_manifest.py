# SPDX-License-Identifier: Apache-2.0
"""Manifests are read and written as ``sha256sum`` does, and every kind of change is found."""

import importlib.util
import json
import marshal
import os
import py_compile
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio import manifest
from studio.manifest import Covered, Finding, compared, is_other_code, made, read_lines, text_of

pytestmark = pytest.mark.req("SW-1")
ODD = ["plain", "two  blanks", "back\\slash", "line\nend", "return\rhere", "\\n", "é", "\udcff"]
SOURCE = "TOTAL = 5\nBAD = float('nan')\n\ndef f(x):\n    return x in {1, 2} or (x, -0.0)\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ODD:
        (tmp_path / name).write_text(name, errors="surrogateescape")
    (tmp_path / "module.py").write_text(SOURCE)
    py_compile.compile(str(tmp_path / "module.py"))
    return tmp_path


def covered(folder: Path, *files: str) -> Covered:
    return Covered((str(folder),), files)


def found(text: bytes, folder: Path) -> list[tuple[str, str]]:
    findings = compared(text, covered(folder)).findings
    return [(one.what, os.path.relpath(one.path, folder)) for one in findings]


@pytest.mark.req("SW-4")
def test_sha256sum_reads_what_is_written_and_writes_the_same(folder: Path) -> None:
    text = made(covered(folder))
    assert set(read_lines(text)) == {str(folder / name) for name in [*ODD, "module.py"]}
    file = folder.parent / f"{folder.name}.sha256"
    file.write_bytes(text)
    check = ["sha256sum", "--check", "--strict", "--quiet", str(file)]
    assert subprocess.run(check, cwd="/", check=False).returncode == 0
    paths = sorted(os.fsencode(path) for path in read_lines(text))
    assert subprocess.run(["sha256sum", *paths], capture_output=True, check=True).stdout == text


@given(
    st.dictionaries(st.text(min_size=1).filter(lambda name: "\0" not in name), st.just("a" * 64))
)
def test_any_names_at_all_are_read_back(lines: dict[str, str]) -> None:
    lines = {path: digest for path, digest in lines.items() if _can_be_a_name(path)}
    assert read_lines(text_of(lines)) == lines


def _can_be_a_name(path: str) -> bool:
    try:
        return os.fsdecode(os.fsencode(path)) == path
    except UnicodeEncodeError:
        return False


@pytest.mark.parametrize("text", [b"abc  x\n", b"a" * 64 + b" x\n", b"a" * 64 + b"  \n"])
def test_what_is_no_manifest_is_refused(text: bytes) -> None:
    with pytest.raises(ValueError, match="line 1"):
        read_lines(text)


def test_changed_missing_and_added_files_are_found_with_both_digests(folder: Path) -> None:
    text = made(covered(folder))
    assert compared(text, covered(folder)).digest == manifest.name_of(text)
    (folder / "plain").write_text("other")
    (folder / "\\n").unlink()
    (folder / "new").write_text("new")
    result = compared(text, covered(folder))
    by_name = {Path(one.path).name: one for one in result.findings}
    lines = read_lines(text)
    now = manifest.digest_of(str(folder / "plain"))
    plain = str(folder / "plain")
    assert by_name["plain"] == Finding("changed", plain, lines[plain], now)
    assert by_name["\\n"].what == "missing"
    assert (by_name["new"].what, by_name["new"].expected) == ("added", None)
    assert len(by_name) == 3
    assert result.digest == manifest.name_of(made(covered(folder)))


def test_files_named_one_by_one_are_found_when_they_come_and_go(tmp_path: Path) -> None:
    (tmp_path / "there").write_text("x")
    names = [str(tmp_path / name) for name in ("there", "later")]
    some = Covered((), tuple(names))
    text = made(some)
    assert list(read_lines(text)) == names[:1]
    Path(names[0]).unlink()
    Path(names[1]).write_text("y")
    findings = compared(text, some).findings
    assert [(one.what, one.path) for one in findings] == [
        ("added", names[1]),
        ("missing", names[0]),
    ]


def test_a_folder_behind_a_link_is_covered_once_and_a_circle_ends(tmp_path: Path) -> None:
    inside, outside = tmp_path / "inside", tmp_path / "outside"
    for made_folder in (inside, outside):
        made_folder.mkdir()
        (made_folder / "file.py").write_text("")
    (inside / "link").symlink_to(outside)
    (outside / "back").symlink_to(inside)
    names = [os.path.relpath(path, inside) for path in read_lines(made(covered(inside)))]
    assert names == ["file.py", "link/file.py"]


def test_another_python_s_libraries_and_bytecode_are_not_listed(folder: Path) -> None:
    (folder / "site-packages").mkdir()
    (folder / "site-packages" / "other.py").write_text("")
    assert (folder / "__pycache__").is_dir()
    paths = read_lines(made(covered(folder)))
    assert not [path for path in paths if "__pycache__" in path or "site-packages" in path]


def put_bytecode(source: Path, text: str, *, flags: int = 0, age: int = 0) -> None:
    """Bytecode of another text in the place of this source's."""
    code = marshal.dumps(compile(text, str(source), "exec"))
    status = source.stat()
    stamps = (flags, int(status.st_mtime) + age, status.st_size)
    head = b"".join(number.to_bytes(4, "little") for number in stamps)
    Path(importlib.util.cache_from_source(str(source))).write_bytes(
        importlib.util.MAGIC_NUMBER + head + code
    )


def test_bytecode_that_python_would_load_must_be_its_source_s(folder: Path) -> None:
    source = folder / "module.py"
    text = made(covered(folder))
    assert found(text, folder) == []
    other = SOURCE.replace("5", "6")
    for flags in (0, 1):
        put_bytecode(source, other, flags=flags)
        assert [what for what, _ in found(text, folder)] == ["bytecode"]
    put_bytecode(source, other, age=-1)
    assert found(text, folder) == [], "it is stale: Python does not load it"
    put_bytecode(source, SOURCE)
    assert found(text, folder) == []
    Path(importlib.util.cache_from_source(str(source))).write_bytes(b"")
    assert not is_other_code(str(source))


@pytest.mark.parametrize(
    "other",
    [
        SOURCE.replace("nan", "inf"),
        SOURCE.replace("-0.0", "0.0"),
        SOURCE.replace("{1, 2}", "{1, 3}"),
        SOURCE.replace("def f", "def g"),
        SOURCE.replace("5", "True"),
    ],
)
def test_the_least_difference_in_bytecode_is_one(folder: Path, other: str) -> None:
    put_bytecode(folder / "module.py", other)
    assert is_other_code(str(folder / "module.py"))


def test_bytecode_that_is_cut_short_is_a_finding(folder: Path) -> None:
    file = Path(importlib.util.cache_from_source(str(folder / "module.py")))
    file.write_bytes(file.read_bytes()[:40])
    assert is_other_code(str(folder / "module.py"))


def test_a_process_of_its_own_finds_the_same(folder: Path) -> None:
    text = made(covered(folder))
    file = folder.parent / f"{folder.name}.sha256"
    file.write_bytes(text)
    (folder / "\udcff").write_text("other")
    source = str(folder / "module.py")
    asked = {
        "manifest": str(file),
        "folders": [str(folder)],
        "files": [],
        "sources": [source],
        "good": {},
        "cache": None,
        "nice": 1,
        "share": 0.5,
    }
    run = [sys.executable, "-I", "-S", manifest.__file__]
    said = subprocess.run(run, input=json.dumps(asked).encode(), capture_output=True, check=True)
    *findings, last = map(json.loads, said.stdout.splitlines())
    assert [(one["what"], one["path"]) for one in findings] == [("changed", str(folder / "\udcff"))]
    assert last["files"] == len(ODD) + 1
    assert list(last["good"]) == [source]
