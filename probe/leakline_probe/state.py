"""What one look at the heap knows: the state that its steps share.

Every object of the job that is on the way to a wanted tensor is held exactly once, in State.hold, and nowhere else of ours while references are
counted. Its index there is its place; all else refers to objects by place or by id().
"""
from __future__ import annotations

from typing import Any

from .errors import pass_on
from .kinds import Kinds
from .torch_facts import TorchFacts

NOTES = 40  # different things that went wrong are enough to know
Lead = tuple[int, str, int]  # an edge that the collector does not show: the place of the parent, the label, the kind of reference
Places = dict[int, tuple[int, int, int, int]]  # of wanted tensors and storages: the device, the storage's key, the address of its data, its bytes


class Remarks:
    """What a dump says of itself: how much there was to see, and what it left out."""

    def __init__(self) -> None:
        self.objects = self.frozen = self.threads = 0
        self.is_near = False  # whether only what running calls and the job's own modules lead to was searched
        self.graph, self.graph_reason = "skipped", ""  # or walked, or cut
        self.notes: list[str] = []
        self.sample: dict[str, int] | None = None
        self.bounds: list[tuple[int, int]] = []  # rows of containers, and how many items those keep at most

    def add(self, note: str) -> None:
        if note not in self.notes:
            self.notes.append(note)

    def trouble(self, what: str, error: Exception) -> None:
        """Notes that something could not be read, with the type of the error; raises it again if it is the job's."""
        pass_on(error)
        if len(self.notes) < NOTES:
            self.add(f"{what} could not be read: {type(error).__name__}")


class State:
    """The objects that were found, and what was found out about them."""

    def __init__(self, facts: TorchFacts, remarks: Remarks) -> None:
        self.facts, self.remarks = facts, remarks
        self.kinds = Kinds(facts)
        self.kind = self.kinds.of
        self.hold: list[Any] = []
        self.at: dict[int, int] = {}  # the place of an object by its id
        self.leads: dict[int, list[Lead]] = {}  # by the id of the child
        self.roots: set[int] = set()  # places where a search ends
        self.made: set[int] = set()  # places of objects that exist only since we asked torch for them
        self.inside: dict[int, None] = {}  # places of all that leads to a wanted tensor, in the order in which they were found
        self.attribute_dicts: set[int] = set()  # ids of dicts whose keys are names of attributes

    def take(self, thing: Any) -> int:
        """The place of an object; it is held from now on."""
        place = self.at.get(id(thing))
        if place is None:
            place = self.at[id(thing)] = len(self.hold)
            self.hold.append(thing)
        return place

    def take_all(self, things: list[Any]) -> None:
        list(map(self.take, things))  # a loop's variable would be a reference too many

    def lead(self, parent: int, child: Any, label: str, kind: int) -> None:
        """Notes an edge that the collector does not show."""
        self.leads.setdefault(id(child), []).append((parent, label, kind))

    def let_go(self) -> None:
        """Forgets all objects of the job."""
        for held in (self.leads, self.at, self.hold):
            held.clear()
