"""Names the files of this process and writes them: whole or not at all, readable by their owner only."""
from __future__ import annotations

import os

from .errors import note_error
from .process import program_name

NAME_CHARACTERS = 60
OWNER_ONLY = 0o600


class Outputs:
    """Where the files of this process go: FOLDER/NAME-PID.SUFFIX. There is a folder once the probe is armed."""

    def __init__(self, folder: str | None = None) -> None:
        self.folder = folder

    @property
    def is_armed(self) -> bool:
        return self.folder is not None

    def path(self, suffix: str) -> str:
        name = os.environ.get("LEAKLINE_NAME") or program_name()
        name = "".join([c if c.isalnum() or c in "-_." else "_" for c in (name[:-3] if name.endswith(".py") else name)])
        folder = self.folder if self.folder is not None else os.environ.get("LEAKLINE_OUT") or "."
        return os.path.join(folder, f"{name[:NAME_CHARACTERS]}-{os.getpid()}.{suffix}")


outputs = Outputs()


def write_file(path: str | os.PathLike[str], content: bytes) -> str | None:
    """Writes PATH.tmp, then renames it; returns the path, or None where that failed, with nothing left behind."""
    part = os.fspath(path) + ".tmp"
    try:
        with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, OWNER_ONLY), "wb") as file:
            file.write(content)
        os.replace(part, path)
        return os.fspath(path)
    except OSError as error:
        note_error(error)
        try:
            os.unlink(part)
        except OSError:
            pass
        return None


def append_to(path: str, content: bytes) -> None:
    """Appends whole lines, in one write where the system allows it."""
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, OWNER_ONLY)
    try:
        while content:
            content = content[os.write(file, content):]
    finally:
        os.close(file)
