"""A job that a warm process forks, as a command:

    warm_job.py serve SOCKET                    is that process, until its standard input ends; says ready when it answers
    warm_job.py run SOCKET SCRIPT ARGUMENT...   ends as the job does, which has this command's environment, folder and output
"""
import json
import os
import select
import signal
import socket
import sys

import warm


def serve(path):
    """Forks jobs, one after the other. Returns in each of them with its request, and in the process itself when nobody can want another."""
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(path)
        listener.listen()
        print("ready", flush=True)
        warm.warm_up()
        while select.select([listener, sys.stdin], [], [])[0] == [listener]:
            connection, _ = listener.accept()
            with connection:
                request = warm.serve(connection)
            if request is not None:
                os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
                return request
    return None


def run(path, script, *arguments):
    """Has the job run, and answers its exit code, or the signal that ended it, below 0."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(path)
        job = {"script": os.path.abspath(script), "arguments": arguments, "environment": dict(os.environ), "folder": os.getcwd()}
        socket.send_fds(connection, [json.dumps(job).encode() + b"\n"], [1, 2])
        pid = json.loads(warm.line(connection)[0])["pid"]
        connection.sendall(json.dumps({"wait": pid, "options": 0}).encode() + b"\n")
        return json.loads(warm.line(connection)[0])["code"]


if __name__ == "__main__":
    if sys.argv[1] == "run":
        code = run(*sys.argv[2:])
        if code < 0:
            signal.signal(-code, signal.SIG_DFL)
            os.kill(os.getpid(), -code)
        sys.exit(code)
    job = serve(sys.argv[2])
    if job is not None:
        main, code = warm.become(**job)
        exec(code, main.__dict__)
