# SPDX-License-Identifier: Apache-2.0
"""A real PostgreSQL server for the tests, on a Unix socket of its own, synced as by default."""

import os
import shutil
import signal
import subprocess
import tempfile
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest
from sqlalchemy.engine import URL

from tests.waiting import until

_INSTALL = "PostgreSQL's server is not installed; run: apt-get install postgresql"
_USER = "postgres" if os.geteuid() == 0 else None


def _programs() -> Path:
    """Where initdb and postgres are: Debian keeps them off the path."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    on_path = shutil.which("initdb")
    if not found and on_path is None:
        pytest.fail(_INSTALL, pytrace=False)
    return found[-1].parent if found else Path(str(on_path)).resolve().parent


def _run(*command: str) -> None:
    subprocess.run(command, check=True, capture_output=True, user=_USER, cwd="/", timeout=50)


class Server:
    """A server with its files; made, it runs. ``where`` is its conninfo."""

    def __init__(self) -> None:
        self._programs = _programs()
        self._folder = Path(tempfile.mkdtemp(prefix="pg"))
        self._data = str(self._folder / "data")
        self._process: subprocess.Popen[bytes] | None = None
        self.where = f"host={self._folder} user=studio dbname=postgres"
        try:
            if _USER is not None:
                shutil.chown(self._folder, _USER)
            initdb = str(self._programs / "initdb")
            _run(initdb, "-D", self._data, "-U", "studio", "-A", "trust", "--no-sync")
            self.start()
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> "Server":
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()

    def start(self) -> None:
        """Start it, and wait until it answers."""
        with (self._folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [str(self._programs / "postgres"), "-D", self._data, "-k", self._folder, "-h", ""],
                stdout=log,
                stderr=log,
                user=_USER,
                cwd="/",
            )
        until(self._answers, seconds=30)

    def stop(self, number: int = signal.SIGQUIT) -> None:
        """Stop it: SIGINT ends all sessions in order, SIGQUIT is as good as a crash."""
        if self._process is not None:
            self._process.send_signal(number)
            self._process.wait(30)
            self._process = None

    def close(self) -> None:
        """Stop it at once and remove its files: nothing of it is needed any more."""
        self.stop()
        shutil.rmtree(self._folder)

    def logged(self) -> str:
        """All that it has logged."""
        return (self._folder / "log").read_text()

    def new_place(self) -> str:
        """URL of an empty place in its database: a schema of its own on the search path."""
        name = f"t{uuid4().hex}"
        with psycopg.connect(self.where, autocommit=True) as connection:
            connection.execute(f"CREATE SCHEMA {name}".encode())
        url = URL.create("postgresql+psycopg", "studio", database="postgres")
        url = url.set(query={"host": str(self._folder), "options": f"-csearch_path={name}"})
        return url.render_as_string(hide_password=False)

    def _answers(self) -> bool:
        assert self._process is not None
        assert self._process.poll() is None, "PostgreSQL ended at its start"
        try:
            psycopg.connect(self.where).close()
        except psycopg.OperationalError:
            return False
        return True
