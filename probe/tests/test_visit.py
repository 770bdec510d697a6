"""What `leakline attach` has a job run whose main thread waits: by its event loop, where it has one, else by a thread of its own."""
import asyncio
import os
import shutil
import tempfile
import threading
import time
import unittest

from built import HERE, leakline_probe
from dump_reader import Reader
from test_startup import torch

SCRIPT = os.path.join(os.path.dirname(os.path.dirname(HERE)), "attach", "src", "main", "resources", "dev", "leakline", "attach", "visit.py")


@unittest.skipIf(torch is None, "no torch")
class Visits(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = place.name
        shutil.copy(leakline_probe.__file__, self.folder)

    def visit(self):
        with open(SCRIPT) as file:
            text = file.read()
        names = {"FOLDER": self.folder, "NAME": "attach-1", "WALKS_GRAPH": False, "TARGET": "cpu", "TASK": "dump", "ENTRIES": 0, "MAX_PAUSE": 0, "WAS_RECORDING": False}
        exec(compile(text, os.path.join(self.folder, "visit.py"), "exec"), names)

    def visited(self):
        """What was answered, and the header of the dump."""
        with open(os.path.join(self.folder, "answer")) as file:
            return file.read(), Reader(os.path.join(self.folder, "attach-1.holders")).header

    def test_an_event_loop_that_waits_makes_the_dump_in_the_main_thread(self):
        async def serve():
            thread = threading.Thread(target=self.visit)
            thread.start()
            while thread.is_alive():
                await asyncio.sleep(0.05)
        asyncio.run(serve())
        answer, header = self.visited()
        self.assertEqual(("done", "walked"), (answer, header["graph"]))

    def test_a_loop_that_does_not_come_is_done_without(self):
        async def serve():
            thread = threading.Thread(target=self.visit)
            thread.start()
            time.sleep(3)
            thread.join()
            self.before = os.stat(os.path.join(self.folder, "attach-1.holders")).st_mtime_ns
            await asyncio.sleep(0.1)
        asyncio.run(serve())
        answer, header = self.visited()
        self.assertEqual(("done", "skipped"), (answer, header["graph"]))
        self.assertEqual(self.before, os.stat(os.path.join(self.folder, "attach-1.holders")).st_mtime_ns)

    def test_without_a_loop(self):
        thread = threading.Thread(target=self.visit)
        thread.start()
        thread.join()
        answer, header = self.visited()
        self.assertEqual(("done", "skipped"), (answer, header["graph"]))


if __name__ == "__main__":
    unittest.main()
