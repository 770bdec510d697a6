"""Jobs of the tests, forked from one process that has imported torch and not used it: an import takes seconds, a fork milliseconds.

Job starts one. The first of a run starts the process that forks them all; it ends with the tests. A job is as one that Python started, but for its
torch: environment, arguments, search path and __main__ are its own, its sitecustomize is run, and it ends through Python's whole shutdown. What
belongs to the import of torch itself has to be tested with processes that import it.
"""
import atexit
import json
import os
import signal
import socket
import subprocess
import sys
import types

HANGS = 1200  # seconds after which something hangs, however busy the machine is


class Job:
    """A running job, with what subprocess.Popen has that the tests need."""
    _server = _process = None

    def __init__(self, script, environment):
        read, write = os.pipe()
        errors, pipe = os.pipe()
        answer = self._ask({"script": script, "environment": environment}, [write, pipe])
        os.close(write)
        os.close(pipe)
        self.pid, self.returncode = answer["pid"], None
        self.stdout, self.stderr = open(read), open(errors)

    @classmethod
    def _ask(cls, request, files=()):
        if cls._server is None:
            cls._server, theirs = socket.socketpair()
            cls._server.settimeout(HANGS)
            command = [sys.executable, os.path.abspath(__file__), str(theirs.fileno())]
            cls._process = subprocess.Popen(command, pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL)
            theirs.close()
            atexit.register(cls._end)
        socket.send_fds(cls._server, [json.dumps(request).encode() + b"\n"], files)
        return json.loads(line(cls._server)[0])

    @classmethod
    def _end(cls):
        cls._server.close()
        cls._process.wait()

    def poll(self):
        return self._wait(os.WNOHANG)

    def _wait(self, options):
        if self.returncode is None:
            try:
                self.returncode = self._ask({"wait": self.pid, "options": options})["code"]
            except socket.timeout:
                os.kill(self.pid, signal.SIGKILL)
                raise
        return self.returncode

    def send_signal(self, number):
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self):
        self.send_signal(signal.SIGKILL)

    def communicate(self):
        """Standard output and standard error, when the job has ended. They hold less than a pipe does."""
        self._wait(0)
        with self.stdout, self.stderr:
            return self.stdout.read(), self.stderr.read()


def line(connection):
    """A line from the other side, and the files that came with it."""
    text, files = b"", []
    while not text.endswith(b"\n"):
        more, received, _, _ = socket.recv_fds(connection, 1 << 16, 2)
        if not more:
            return None, files
        text, files = text + more, files + received
    return text, files


def serve(connection):
    """Answers requests. Returns in a forked child with the job that it is to be, and in the parent when the tests have ended."""
    while True:
        text, files = line(connection)
        if text is None:
            return None
        request = json.loads(text)
        answer = _wait(**request) if "wait" in request else {"pid": os.fork()}
        if answer.get("pid") == 0:
            os.dup2(files[0], 1)
            os.dup2(files[1], 2)
        for file in files:
            os.close(file)
        if answer.get("pid") == 0:
            connection.close()
            return request
        connection.sendall(json.dumps(answer).encode() + b"\n")


def _wait(wait, options):
    pid, status = os.waitpid(wait, options)
    return {"code": None if pid == 0 else -os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)}


def become(script, environment, arguments=(), folder="."):
    """Makes this process one that Python started with the script in a folder, up to its sitecustomize; returns its __main__ and its code."""
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    path = environment.get("PYTHONPATH", "").split(os.pathsep)
    sys.argv[:], sys.path[0:1] = [script, *arguments], [os.path.dirname(script)] + path
    main = sys.modules["__main__"] = types.ModuleType("__main__")
    main.__file__, main.__builtins__ = script, __builtins__
    sys.modules.pop("sitecustomize", None)
    __import__("sitecustomize")
    with open(script) as file:
        return main, compile(file.read(), script, "exec")


def warm_up():
    """Imports what every job will; nothing of it is used."""
    import torch
    torch.optim.SGD([torch.nn.Parameter(torch.ones(1))], lr=0.1)  # the first optimizer imports another second of modules


if __name__ == "__main__":
    warm_up()
    job = serve(socket.socket(fileno=int(sys.argv[1])))
    if job is not None:
        main, code = become(**job)
        exec(code, main.__dict__)
