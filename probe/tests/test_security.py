"""What is in the files, and how they are written."""
import os
import tempfile
import threading
import unittest
from unittest import mock

from armed import Armed, leakline_probe
from dump_reader import Reader
from test_interpreters import Straw, StrawTorch

SECRET = "s3cr3t"


class Files(Armed):
    """Files are written where they belong, and nowhere else."""

    def setUp(self):
        super().setUp()
        self.addCleanup(setattr, leakline_probe, "_facts", leakline_probe._facts)
        leakline_probe._facts = StrawTorch()
        self.elsewhere = os.path.join(tempfile.mkdtemp(dir=self.folder), "elsewhere")

    def dump(self, name="a.holders"):
        return leakline_probe.dump(os.path.join(self.folder, name), target="cpu")

    def count(self):
        leakline_probe.step()
        leakline_probe.counters.end([])

    def test_all_are_readable_by_their_owner_only(self):
        self.addCleanup(os.umask, os.umask(0))
        self.dump()
        self.count()
        leakline_probe.announce()
        names = [entry for entry in os.scandir(self.folder) if entry.is_file()]
        self.assertEqual([0o600] * 3, [entry.stat().st_mode & 0o777 for entry in names])

    def test_a_link_in_place_of_a_file_that_is_being_made_is_removed(self):
        os.symlink(self.elsewhere, os.path.join(self.folder, "a.holders.tmp"))
        self.assertTrue(self.dump())
        self.assertFalse(os.path.exists(self.elsewhere))
        self.assertFalse(os.path.islink(os.path.join(self.folder, "a.holders")))

    def test_counters_are_not_written_through_a_link(self):
        os.symlink(self.elsewhere, leakline_probe.outputs.path("counters.jsonl"))
        self.count()
        self.assertFalse(os.path.exists(self.elsewhere))
        self.assertTrue(leakline_probe.counters.is_broken)

    def test_counters_are_not_written_to_what_is_no_file_or_somebody_elses(self):
        path = leakline_probe.outputs.path("counters.jsonl")
        os.mkfifo(path)
        self.count()
        self.assertTrue(leakline_probe.counters.is_broken)
        os.unlink(path)
        with open(path, "w"):
            pass
        leakline_probe.counters.restart(None)
        with mock.patch.object(os, "geteuid", lambda: os.getuid() + 1):
            self.count()
        self.assertEqual(0, os.path.getsize(path))
        self.assertIn("is not a file of ours", leakline_probe.last_error)


class HostileName(str):
    """A name that runs code when it is compared, hashed or measured."""
    asked = []

    def _refuse(self, *_):
        HostileName.asked.append(self)
        raise RuntimeError("the job's own code was run")
    __eq__ = __len__ = __repr__ = __str__ = __format__ = __getitem__ = _refuse

    def __hash__(self):
        return HostileName._refuse(self) if HostileName.is_armed else str.__hash__(self)
    is_armed = False


class Contents(Armed):
    """What is in a dump."""

    def setUp(self):
        super().setUp()
        self.addCleanup(setattr, leakline_probe, "_facts", leakline_probe._facts)
        leakline_probe._facts = StrawTorch()
        self.path = os.path.join(self.folder, "a.holders")

    def dump(self):
        self.assertTrue(leakline_probe.dump(self.path, target="cpu"), leakline_probe.last_error)
        with open(self.path, "rb") as file:
            return Reader(self.path), file.read()

    def test_no_value_is(self):
        class Held:
            """A docstring: s3cr3t."""

            def __repr__(self):
                return SECRET
        held, number, text, data = Held(), 1234567890123, "text " + SECRET, b"bytes " + SECRET.encode()
        held.tensor, held.token, held.number = Straw(1), SECRET, number
        kept = {("k" * 59) + SECRET: [Straw(2), text], data: Straw(3), frozenset([SECRET]): Straw(4), held: [Straw(5), data, (SECRET,), {SECRET}]}
        os.environ["LEAKLINE_TEST_TOKEN"] = SECRET
        self.addCleanup(os.environ.pop, "LEAKLINE_TEST_TOKEN")
        try:
            raise ValueError(SECRET, Straw(6))
        except ValueError as error:
            failed = error  # noqa: F841
        dump, content = self.dump()
        self.assertEqual(6, len(dump.tensors))
        self.assertNotIn(SECRET.encode(), content)
        self.assertNotIn(str(number).encode(), content)
        self.assertTrue({"kept", "k" * 59 + "\u2026", "<bytes>", "<frozenset>"} <= set(dump.strings))
        del kept

    def test_keys_of_dicts_can_be_hashed_and_names_stay(self):
        class Patient:
            pass
        patient = Patient()
        patient.history = {"Ada": Straw(1), 1815: [Straw(2)], ("Ada", 1): Straw(3)}
        with mock.patch.dict(os.environ, LEAKLINE_HASH_KEYS="1"):
            dump, content = self.dump()
        self.assertNotIn(b"Ada", content)
        self.assertFalse({"1815", "(Ada, 1)"} & set(dump.strings))
        for width in (1, 2, 3):
            way = dump.path(dump.nodes_of_shape(f"[{width}]")[0])
            self.assertEqual(["patient", "history"], [label for label in way if label in ("patient", "history")])
            self.assertTrue(any(label.startswith("#") and len(label) == 11 for label in way), way)

    def test_names_that_run_code_do_not(self):
        class Worker(threading.Thread):
            def __getattribute__(self, name):
                if HostileName.is_armed:
                    HostileName._refuse(HostileName(name))
                return super().__getattribute__(name)

            def run(self):
                mine = Straw(2)
                inside.set()
                go_on.wait()
                del mine
        inside, go_on = threading.Event(), threading.Event()
        worker = Worker(name="worker")
        worker.start()
        inside.wait()
        found = []

        class Body:
            locals()[HostileName("late")] = [Straw(1)]
            HostileName.is_armed = True
            try:
                found.append(leakline_probe.dump(self.path, target="cpu"))
            finally:
                HostileName.is_armed = False
                go_on.set()
                locals().clear()
                worker.join()
        self.assertEqual(([self.path], []), (found, HostileName.asked), leakline_probe.last_error)
        dump = Reader(self.path)
        self.assertEqual(2, len(dump.tensors))
        self.assertTrue(any("in thread worker" in dump.text(number) for number in range(len(dump.nodes))))


if __name__ == "__main__":
    unittest.main()
