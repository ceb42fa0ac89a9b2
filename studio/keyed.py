# SPDX-License-Identifier: Apache-2.0
"""Whether the sockets of a table want keys, and which ones a client of it uses, by its settings.

All four want them as soon as one can be reached from beyond the machine, or if the table's file
says so. Without, a table is as open as the machine that it runs on.
"""

from pathlib import Path

from studio.feed.endpoint import FeedRefused, is_loopback
from studio.feed.keys import ClientKeys, KeysRefused, ServerKeys, has_server_keys
from studio.settings import FeedEndpoints, StudioSettings, TableSettings


def wants_keys(settings: TableSettings) -> bool:
    """Whether whoever connects to this table needs a key."""
    return settings.keys or bool(beyond_this_machine(settings.feed))


def beyond_this_machine(feed: FeedEndpoints) -> list[str]:
    """The endpoints that others can reach; what is no endpoint is none."""
    return [name for name in FeedEndpoints.__struct_fields__ if _is_beyond(getattr(feed, name))]


def _is_beyond(endpoint: str) -> bool:
    try:
        return not is_loopback(endpoint)
    except FeedRefused:
        return False


def client_keys(settings: TableSettings) -> ClientKeys | None:
    """The keys of this machine as a client of this table; None if it wants none.

    Raises KeysRefused, as when there are none.
    """
    return ClientKeys.load(key_folder(settings.studio)) if wants_keys(settings) else None


def keys_for(endpoint: str, folder: Path) -> ClientKeys | None:
    """The keys for an endpoint of which no settings are known: beyond this machine always."""
    return ClientKeys.load(folder) if _is_beyond(endpoint) else None


def server_keys(settings: TableSettings) -> ServerKeys | None:
    """The keys of this table's service; None if there are none and none are wanted.

    Raises KeysRefused when they are wanted and not there, or not kept as they must be.
    """
    folder = key_folder(settings.studio)
    if has_server_keys(folder):
        return ServerKeys.load(folder)
    if not wants_keys(settings):
        return None
    names = ", ".join(f"feed.{name}" for name in beyond_this_machine(settings.feed))
    why = f"{names} can be reached from beyond this machine" if names else "keys are asked for"
    raise KeysRefused(
        f"{why}, and there are none in {folder}: `studio keys init` makes them"
        + (", or use tcp://127.0.0.1:PORT" if names else ", or remove `keys`")
    )


def key_folder(studio: StudioSettings) -> Path:
    """Where the keys of this machine are."""
    return studio.data_path / Path(studio.key_folder).expanduser()


def access_folder(studio: StudioSettings) -> Path:
    """Where it is written down who connected."""
    return studio.data_path / "access"


def operator_database_url(studio: StudioSettings) -> str:
    """Where it is kept which operators acknowledged what."""
    return studio.absolute_url(studio.operators.database)
