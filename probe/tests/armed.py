"""A probe that is armed for one test, with an allocator of straw."""
import json
import os
import tempfile
import unittest
from unittest import mock

from built import leakline_probe


class Allocator:
    """Counts as torch's does, for each device: what is allocated, and the most since the last reset."""

    def __init__(self):
        self.allocated, self.peak, self.blocks, self.freed = {}, {}, {}, {}

    def take(self, size, device=0):
        self.allocated[device] = self.allocated.get(device, 0) + size
        self.blocks[device] = self.blocks.get(device, 0) + 1
        self.peak[device] = max(self.peak.get(device, 0), self.allocated[device])

    def give(self, size, device=0):
        self.allocated[device] -= size
        self.blocks[device] -= 1
        self.freed[device] = self.freed.get(device, 0) + 1

    def reset(self, device):
        self.peak[device] = self.allocated[device]

    def all_blocks(self, device):
        blocks, freed = self.blocks[device], self.freed.get(device, 0)
        return {"all": {"current": blocks, "allocated": blocks + freed, "freed": freed}}

    def counters(self):
        def all_of(**counters):
            return {"all": counters}
        return [(device, {"allocated_bytes": all_of(current=held, peak=self.peak[device]), "reserved_bytes": all_of(current=1 << 30, peak=1 << 30),
                          "allocation": self.all_blocks(device)}) for device, held in self.allocated.items()]


class Armed(unittest.TestCase):
    STRAW = {"raw_counters": "counters", "reset_peak": "reset"}  # what an allocator of straw stands in for

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder, self.allocator = folder.name, Allocator()
        probe = leakline_probe
        fresh = {"outputs": probe.Outputs(self.folder), "plan": probe.Plan(), "counters": probe.Counters(), "functions": probe.Functions(),
                 "peaks": probe.Peaks(), "meter": probe.Meter(), "tally": probe.Tally(), "history": probe.History(), "last_error": None}
        fresh.update({name: getattr(self.allocator, own) for name, own in self.STRAW.items()})
        for name, stand_in in fresh.items():
            patch = mock.patch.object(probe, name, stand_in)
            patch.start()
            self.addCleanup(patch.stop)

    def rows(self, key=None):
        """What is in the file of counters when the process ends: all rows, or those that have the key."""
        leakline_probe.counters.end(leakline_probe.functions.unwritten())
        if not os.listdir(self.folder):
            return []
        name, = os.listdir(self.folder)
        with open(os.path.join(self.folder, name)) as file:
            rows = [json.loads(line) for line in file]
        return rows if key is None else [row for row in rows if key in row]
