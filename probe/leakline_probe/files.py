"""Names the files of this process and writes them: whole or not at all, readable by their owner only.

Others may write to the folder as well. So no link is followed, and nothing is written to a file that somebody else has put there.
"""
from __future__ import annotations

import errno
import os
import stat

from .errors import note_error
from .process import program_name

NAME_CHARACTERS = 60
OWNER_ONLY = 0o600
FOLDER_OF_OWNER = 0o700


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
_appended: dict[str, tuple[int, int]] = {}  # device and inode of the files that this process appends to


def make_folder(path: str) -> None:
    """Makes a folder, and those above it, where they are missing: for the user alone.

    Raises where it is another user's or a link, in a folder that everybody can write to: somebody may have put it there for us to write to.
    """
    parent = os.path.dirname(path)
    if not os.path.isdir(path):
        if not os.path.isdir(parent):
            make_folder(parent)
        try:
            os.mkdir(path, FOLDER_OF_OWNER)
        except FileExistsError:  # another process of the job was faster
            pass
    found = os.lstat(path)
    if os.stat(parent).st_mode & stat.S_IWOTH and (found.st_uid != os.geteuid() or not stat.S_ISDIR(found.st_mode)):
        raise PermissionError(errno.EPERM, "it is a link or another user's, in a folder that everybody can write to")


def write_file(path: str | os.PathLike[str], content: bytes) -> str | None:
    """Writes a file beside it, then renames that; returns the path, or None where that failed, with nothing left behind."""
    part = f"{os.fspath(path)}.{os.urandom(8).hex()}.tmp"  # a name that nobody can have taken before
    try:
        with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWNER_ONLY), "wb") as file:
            file.write(content)
        os.replace(part, path)
        return os.fspath(path)
    except OSError as error:
        note_error(error)
        _remove(part)
        return None


def _remove(path: str) -> None:
    try:
        os.unlink(path)
    except OSError:  # there is none, or it is not ours to remove
        pass


def append_to(path: str, content: bytes) -> None:
    """Appends whole lines, in one write where the system allows it."""
    flags = os.O_WRONLY | os.O_APPEND | os.O_NOFOLLOW | os.O_NONBLOCK  # a pipe in its place must not hold the job up
    try:
        file, is_new = os.open(path, flags), False
    except FileNotFoundError:
        file, is_new = os.open(path, flags | os.O_CREAT | os.O_EXCL, OWNER_ONLY), True
    try:
        _check_own(path, os.fstat(file), is_new)
        while content:
            content = content[os.write(file, content):]
    finally:
        os.close(file)


def _check_own(path: str, found: os.stat_result, is_new: bool) -> None:
    """Raises where a file is neither the one that this process has made, nor one of its user from before an exec.

    The owner alone does not tell: some network file systems show root's files as nobody's.
    """
    is_own = found.st_uid == os.geteuid() and found.st_nlink == 1 and stat.S_ISREG(found.st_mode)  # who may link to a file need not own it
    if is_new or path not in _appended and is_own:
        _appended[path] = found.st_dev, found.st_ino
    if _appended.get(path) != (found.st_dev, found.st_ino):
        raise PermissionError(f"{path} is not a file of ours")
