# SPDX-License-Identifier: Apache-2.0
"""The keys of a machine, on disk: the studio's own, or those of an operator or a console.

Owns the key folder, which nobody but its owner may enter, and its files. A secret is made where it
is used and never leaves: no function here gives one as text. Texts of keys are hex; CURVE's own
Z85 is read as well.

``server.key``  a studio's secrets: of its sockets (CURVE), and of its signature (Ed25519);
                ``server-next.key`` those to take their place
``studio.pub``  the public halves of those, on every machine that talks to the studio
``own.key``     the secret of this machine as a client; ``next.key`` the one to take its place
"""

import os
import stat
import tempfile
from pathlib import Path
from typing import NamedTuple, Self, TypeVar

import msgspec
import zmq
from zmq.utils import z85

from studio.feed.endpoint import FeedRefused
from studio.feed.signing import KEY_BYTES, Signer, is_key, new_secret

SERVER, SERVER_NEXT, STUDIO = "server.key", "server-next.key", "studio.pub"
OWN, NEXT = "own.key", "next.key"

T = TypeVar("T")

_DAMAGED = "{}: damaged; restore it from a backup, or make a new one"


class KeysRefused(FeedRefused):
    """Keys that are not there, or not kept as they must be; the text says what to do."""


class _ServerFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    curve: str
    signing: str


class StudioKeys(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The studio's public keys, of its sockets and of its signatures: in force, and next ones."""

    server: tuple[str, ...]
    signing: tuple[str, ...]


class _OwnFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    curve: str


class Pair(NamedTuple):
    """A key pair of CURVE, in Z85; never printed whole."""

    public: bytes
    secret: bytes

    def __repr__(self) -> str:
        """Without the secret."""
        return f"Pair({hex_of(self.public)})"

    def as_server(self, socket: "zmq.Socket[bytes]") -> None:
        """Make a socket speak CURVE only, as the one who is connected to."""
        socket.curve_secretkey = self.secret
        socket.curve_server = True


class ServerKeys(NamedTuple):
    """What a table service needs: the keys of its sockets, and the hand that signs."""

    pair: Pair
    signer: Signer

    @classmethod
    def load(cls, folder: Path, name: str = SERVER) -> Self:
        """The keys of this studio. Raises KeysRefused."""
        made = _read(folder, name, _ServerFile, "`studio keys init` makes the studio's keys")
        return cls(_pair_of(made.curve, folder / name), _signer_of(made.signing, folder / name))

    @property
    def public_keys(self) -> tuple[str, str]:
        """The public halves, in hex."""
        return hex_of(self.pair.public), self.signer.public.hex()


class ClientKeys(NamedTuple):
    """What a client needs: its own pair, and whom it believes to be the studio."""

    name: str
    pair: Pair
    studio: StudioKeys

    @classmethod
    def load(cls, folder: Path) -> Self:
        """The keys of this machine as a client. Raises KeysRefused."""
        own = _read(folder, OWN, _OwnFile, "`studio keys new NAME` makes a key for this machine")
        known = studio_keys(folder)
        return cls(own.name, _pair_of(own.curve, folder / OWN), known)

    def secure(self, socket: "zmq.Socket[bytes]", attempt: int = 0) -> None:
        """Make a socket speak CURVE only, to this studio only; before it connects.

        A studio that changes its keys has two for a while: another ``attempt``, another one.
        """
        socket.curve_publickey, socket.curve_secretkey = self.pair
        server = self.studio.server[attempt % len(self.studio.server)]
        socket.curve_serverkey = z85.encode(bytes.fromhex(server))


def studio_keys(folder: Path) -> StudioKeys:
    """The studio's public keys as this machine was told them. Raises KeysRefused."""
    hint = "`studio keys trust` takes the studio's public keys, which the studio gives you"
    return _read(folder, STUDIO, StudioKeys, hint)


def has_server_keys(folder: Path) -> bool:
    """Whether this machine is a studio's, with keys of its own."""
    return (folder / SERVER).exists()


def make_server_keys(folder: Path, *, is_next: bool = False) -> StudioKeys:
    """Make the studio's keys, unless they are there; gives its public keys. Raises KeysRefused."""
    make_folder(folder)
    name = SERVER_NEXT if is_next else SERVER
    if not (folder / name).exists():
        _, secret = zmq.curve_keypair()
        _write(folder, name, _ServerFile(hex_of(secret), new_secret().hex()))
    return _told(folder)


def use_next_server_keys(folder: Path) -> StudioKeys:
    """Put the studio's next keys in force, for services started from now on."""
    ServerKeys.load(folder, SERVER_NEXT)
    (folder / SERVER_NEXT).replace(folder / SERVER)
    return _told(folder)


def _told(folder: Path) -> StudioKeys:
    """What is made here is what this machine, as a client, takes for the studio."""
    names = [name for name in (SERVER, SERVER_NEXT) if (folder / name).exists()]
    keys = [ServerKeys.load(folder, name) for name in names]
    servers, signing = zip(*(one.public_keys for one in keys), strict=True)
    studio = StudioKeys(servers, signing)
    trust(folder, studio)
    return studio


def make_own_key(folder: Path, name: str, *, is_next: bool = False) -> str:
    """Make a pair for this machine and give its public key; never over one that is there."""
    make_folder(folder)
    file = NEXT if is_next else OWN
    if (folder / file).exists():
        what = "`studio keys use-next` puts it in force" if is_next else "--next makes another one"
        raise KeysRefused(f"{folder / file}: this machine has that key already; {what}")
    public, secret = zmq.curve_keypair()
    _write(folder, file, _OwnFile(name, hex_of(secret)))
    return hex_of(public)


def use_next(folder: Path) -> str:
    """Put the next key in force and forget the old one; gives the public key in force now."""
    own = _read(folder, NEXT, _OwnFile, "`studio keys new NAME --next` makes one")
    (folder / NEXT).replace(folder / OWN)
    _sync(folder)
    return hex_of(_pair_of(own.curve, folder / OWN).public)


def own_key(folder: Path, *, is_next: bool = False) -> tuple[str, str]:
    """Name and public key of this machine as a client. Raises KeysRefused."""
    file = NEXT if is_next else OWN
    own = _read(folder, file, _OwnFile, "`studio keys new NAME` makes a key for this machine")
    return own.name, hex_of(_pair_of(own.curve, folder / file).public)


def trust(folder: Path, studio: StudioKeys) -> None:
    """Keep the studio's public keys. Raises KeysRefused for what is no key."""
    for key in (*studio.server, *studio.signing):
        if not is_key(key):
            raise KeysRefused(f'"{key}" is no public key: 64 digits and letters a to f')
    make_folder(folder)
    _write(folder, STUDIO, studio)


def key_as_given(text: str) -> str:
    """A public key in hex, given in hex or in Z85. Raises KeysRefused."""
    given = text.strip()
    if is_key(given.lower()):
        return given.lower()
    try:
        raw = z85.decode(given.encode()) if len(given) == KEY_BYTES * 5 // 4 else b""
    except (ValueError, KeyError):
        raw = b""
    if len(raw) != KEY_BYTES:
        raise KeysRefused(f'"{text}" is no public key: 64 digits and letters a to f, or Z85')
    return raw.hex()


def hex_of(key: bytes) -> str:
    """A key of CURVE, from Z85."""
    return z85.decode(key).hex()


# --- the folder ---------------------------------------------------------------------------------


def make_folder(folder: Path) -> None:
    """Make the key folder, for its owner only. Raises KeysRefused if it is open to others."""
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as fault:
        raise KeysRefused(f"{folder}: {fault.strerror}: check owner and mode") from None
    check_private(folder)


def check_private(path: Path) -> None:
    """Raise KeysRefused unless a key folder or file is its owner's alone."""
    if os.name != "posix":
        return
    try:
        found = path.stat()
    except OSError as fault:
        raise KeysRefused(f"{path}: {(fault.strerror or 'cannot be read').lower()}") from None
    if found.st_uid != os.geteuid():
        raise KeysRefused(f"{path}: belongs to another user: chown it to who runs this")
    if found.st_mode & 0o077:
        mode = "700" if stat.S_ISDIR(found.st_mode) else "600"
        raise KeysRefused(
            f"{path}: open to others (mode {stat.S_IMODE(found.st_mode):o}); run `chmod {mode} "
            f"{path}`, and make new keys if somebody may have read it"
        )


def _read(folder: Path, name: str, kind: type[T], hint: str) -> T:
    file = folder / name
    if not file.exists():
        raise KeysRefused(f"{file}: no such key; {hint}")
    return read_private(file, kind)


def read_private(file: Path, kind: type[T]) -> T:
    """What a file of a key folder holds, if only its owner can see it. Raises KeysRefused."""
    check_private(file.parent)
    check_private(file)
    try:
        return msgspec.json.decode(file.read_bytes(), type=kind)
    except OSError as fault:
        raise KeysRefused(f"{file}: {fault.strerror}") from None
    except (msgspec.MsgspecError, UnicodeDecodeError):
        # what is wrong with it is not told: the text might hold a part of a secret
        raise KeysRefused(_DAMAGED.format(file)) from None


def _write(folder: Path, name: str, value: msgspec.Struct) -> None:
    write_private(folder / name, value)


def write_private(file: Path, value: object) -> None:
    """Put a file of a key folder in place whole, or not at all. Raises KeysRefused."""
    try:
        number, made = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.")
        try:
            with os.fdopen(number, "wb") as out:
                out.write(msgspec.json.format(msgspec.json.encode(value)) + b"\n")
                out.flush()
                os.fsync(out.fileno())
            Path(made).replace(file)
        except BaseException:
            Path(made).unlink(missing_ok=True)
            raise
        _sync(file.parent)
    except OSError as fault:
        raise KeysRefused(f"{file}: {fault.strerror}") from None


def _sync(folder: Path) -> None:
    if os.name != "posix":
        return
    number = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


def _signer_of(secret: str, file: Path) -> Signer:
    try:
        return Signer(bytes.fromhex(secret))
    except (ValueError, TypeError):
        raise KeysRefused(_DAMAGED.format(file)) from None


def _pair_of(secret: str, file: Path) -> Pair:
    try:
        raw = z85.encode(bytes.fromhex(secret))
        return Pair(zmq.curve_public(raw), raw)
    except (ValueError, zmq.ZMQError):
        raise KeysRefused(_DAMAGED.format(file)) from None
