"""Names the files of this process and writes them: whole or not at all, readable by their owner only.

Others may write to the folder as well. So no link is followed, and nothing is written to a file that somebody else has put there.
"""
from __future__ import annotations

import errno
import os
import resource
import stat
import zlib
from typing import Callable, Optional

from .errors import note_error
from .process import program_name

NAME_CHARACTERS = 60
OWNER_ONLY = 0o600
FOLDER_OF_OWNER = 0o700
NO_ROOM = errno.EFBIG, errno.ENOSPC, errno.EDQUOT
SHORTENINGS = 6  # of a file for which there is no room, to a quarter each: what is left is as good as nothing
GZIP = 16 + zlib.MAX_WBITS


class Outputs:
    """Where the files of this process go: FOLDER/NAME-PID.SUFFIX. There is a folder once the probe is armed.

    `leakline run` gives another folder, which is private and goes away with it. In that, each process notes in a file named by its number how far it has
    come; and where the first folder takes no more, files go there. Where that takes none either, they go to a folder in memory, which is made for them.
    """

    def __init__(self, folder: str | None = None, run: str | None = None, spare: str | None = None) -> None:
        self.folder, self.run, self.spare = folder, run, spare
        self.noted: set[tuple[int, str]] = set()

    @property
    def is_armed(self) -> bool:
        return self.folder is not None

    def path(self, suffix: str) -> str:
        return f"{self.stem()}.{suffix}"

    def stem(self) -> str:
        """How the paths of this process's files begin."""
        name = os.environ.get("LEAKLINE_NAME") or program_name()
        name = "".join([c if c.isalnum() or c in "-_." else "_" for c in (name[:-3] if name.endswith(".py") else name)])
        folder = self.folder if self.folder is not None else os.environ.get("LEAKLINE_OUT") or "."
        return os.path.join(folder, f"{name[:NAME_CHARACTERS]}-{os.getpid()}")

    def note(self, text: str) -> None:
        """Notes how far this process has come, once."""
        note = os.getpid(), text
        if self.run is None or note in self.noted:
            return
        self.noted.add(note)
        try:
            file = os.open(os.path.join(self.run, str(note[0])), os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW, OWNER_ONLY)
            try:
                _write(file, text.encode("utf-8", "replace") + b"\n")
            finally:
                os.close(file)
        except OSError as error:  # leakline has ended, and the job lives on
            note_error(error)

    def give_way(self, path: str, error: OSError) -> str | None:
        """Where a file goes that could not be written, as all will from now on; None where there is no other place, or no place is better."""
        note_error(error)
        if error.errno == errno.EFBIG or self.run is None or os.path.dirname(path) != self.folder:
            return None
        other = self.run if self.folder not in (self.run, self.spare) else self._memory()
        if other is None:
            return None
        self.note(f"trouble {error.strerror or type(error).__name__}")
        self.folder = other
        return os.path.join(other, os.path.basename(path))

    def _memory(self) -> str | None:
        """The folder in memory, which is there from now on; None where the system has none, or files go there already."""
        if self.spare is None or self.folder == self.spare or not os.path.isdir(os.path.dirname(self.spare)):
            return None
        try:
            make_folder(self.spare)
        except OSError as error:
            note_error(error)
            return None
        return self.spare

    def in_memory(self) -> bool:
        return self.folder is not None and self.folder == self.spare


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
    if not os.path.isdir(path):
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
    found = os.lstat(path)
    if os.stat(parent).st_mode & stat.S_IWOTH and (found.st_uid != os.geteuid() or not stat.S_ISDIR(found.st_mode)):
        raise PermissionError(errno.EPERM, "it is a link or another user's, in a folder that everybody can write to")


def write_file(path: str | os.PathLike[str], content: bytes, shorten: Optional[Callable[[bytes], bytes]] = None) -> str | None:
    """Writes a file beside it, then renames that; returns the path, or None where that failed, with nothing left behind.

    Where there is no room, the file is compressed, and shortened until there is, if the caller says how; else what was there before stays.
    """
    path = os.fspath(path)
    try:
        _write_whole(path, _compressed(content) if outputs.in_memory() else content)  # the job may need that memory itself
    except OSError as error:
        other = outputs.give_way(path, error)
        if other is not None:
            return write_file(other, content, shorten)
        if error.errno not in NO_ROOM or not _write_small(path, content, shorten):
            return None
        outputs.note(f"small {error.strerror}")
    outputs.note("wrote")
    return path


def _write_small(path: str, content: bytes, shorten: Optional[Callable[[bytes], bytes]]) -> bool:
    """Writes a file compressed, and ever shorter; whether there was room for one."""
    for _ in range(1 if shorten is None else SHORTENINGS):
        try:
            _write_whole(path, _compressed(content))
            return True
        except OSError as error:
            note_error(error)
        content = shorten(content) if shorten is not None else b""
    return False


def _compressed(content: bytes) -> bytes:
    """The content for gzip, in the shortest time."""
    way = zlib.compressobj(1, zlib.DEFLATED, GZIP)
    return way.compress(content) + way.flush()


def _write_whole(path: str, content: bytes) -> None:
    part = f"{path}.{os.urandom(8).hex()}.tmp"  # a name that nobody can have taken before
    try:
        file = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWNER_ONLY)
        try:
            _write(file, content)
        finally:
            os.close(file)
        os.replace(part, path)
    except OSError:
        remove_file(part)
        raise


def _write(file: int, content: bytes) -> None:
    """Writes to the end of a file, but not beyond the limit of its size: a signal would come, which kills where the job has given it back its default."""
    limit, size = resource.getrlimit(resource.RLIMIT_FSIZE)[0], os.fstat(file).st_size + len(content)
    if limit != resource.RLIM_INFINITY and size > limit:
        raise OSError(errno.EFBIG, os.strerror(errno.EFBIG))
    while content:
        content = content[os.write(file, content):]


def remove_file(path: str) -> None:
    """Removes a file if it is there."""
    try:
        os.unlink(path)
    except OSError:  # there is none, or it is not ours to remove
        pass


def append_to(path: str, content: bytes) -> None:
    """Appends whole lines, in one write where the system allows it."""
    outputs.note("wrote")
    flags = os.O_WRONLY | os.O_APPEND | os.O_NOFOLLOW | os.O_NONBLOCK  # a pipe in its place must not hold the job up
    try:
        file, is_new = os.open(path, flags), False
    except FileNotFoundError:
        file, is_new = os.open(path, flags | os.O_CREAT | os.O_EXCL, OWNER_ONLY), True
    try:
        _check_own(path, os.fstat(file), is_new)
        _write(file, content)
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
