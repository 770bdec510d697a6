"""Writes a row for each reference between objects of a dump, with the best name that it has."""
from __future__ import annotations

import gc
from typing import TYPE_CHECKING, Any, Callable

from .classes import type_name
from .columns import Columns
from .frames import OLD_FRAMES
from .labels import Labels, Rest
from .references import References
from .roots import Roots
from .state import State
from .texts import KEY_CHARACTERS, cut
from .words import ATTRIBUTE, CELL, CLASS, DICT, LOCAL, STRING_KEY, TUPLE

if TYPE_CHECKING:
    Sink = Callable[[int, int, str, int], None]  # takes an edge: the places of parent and child, the name, the kind of reference


def name_edges(labels: Labels, places: list[int], place_of: dict[int, int], sink: Sink) -> None:
    """Gives the sink all references that the collector shows from these places to those in place_of."""
    state, late = labels.state, []
    for place in places:
        kind = state.kind(type(state.hold[place]))
        if kind in (DICT, TUPLE):
            late.append(place)  # their names depend on whose they are
        elif kind == CLASS or not (place in state.made or place in state.roots and not OLD_FRAMES):
            _name_edges_of(labels, place, place_of, sink)
    for place in late:
        _name_edges_of(labels, place, place_of, sink)


def _name_edges_of(labels: Labels, place: int, place_of: dict[int, int], sink: Sink) -> None:
    state = labels.state
    thing = state.hold[place]
    rest = _references_from(state, place, thing, place_of)
    if not rest:
        return
    kind = state.kind(type(thing))
    try:
        for child, label, sort in labels.of(thing, kind, rest):
            if rest.get(child, 0) > 0:
                rest[child] -= 1
                sink(place, place_of[child], label, sort)
    except Exception as error:
        state.remarks.trouble(f"the parts of a {type_name(type(thing))}", error)
    for child, number in rest.items():
        for _ in range(max(number, 0)):
            sink(place, place_of[child], *labels.nameless(kind, child))


def _references_from(state: State, place: int, thing: Any, place_of: dict[int, int]) -> Rest:
    """How often an object refers to each other, without the references that are known from walks of our own."""
    rest: Rest = {}
    for key in filter(place_of.__contains__, map(id, gc.get_referents(thing))):
        rest[key] = rest.get(key, 0) + 1
    for key in rest:
        for parent, _, _ in state.leads.get(key, ()):
            rest[key] -= parent == place
    return rest


class Edges:
    """The edges of a dump."""

    def __init__(self, state: State, roots: Roots, references: References, columns: Columns) -> None:
        self.state, self.roots, self.references, self.columns = state, roots, references, columns

    def write(self) -> None:
        self._move_to_cells()
        name_edges(Labels(self.state, self.roots), self.references.places, self.references.place_of, self._add)
        self._write_leads()
        self.columns.mark_buffers()

    def _add(self, parent: int, child: int, label: str, kind: int) -> None:
        if child in self.state.roots:
            return
        if kind in (STRING_KEY, ATTRIBUTE) and len(label) > KEY_CHARACTERS:
            label = cut(label)
        self.columns.edges.extend((self.references.row_of[parent], self.references.row_of[child], self.columns.text(label), kind))

    def _move_to_cells(self) -> None:
        """A running call holds the cell of a variable that it shares with a closure, not the value."""
        state, cells_of = self.state, self._cells()
        for frame, name, value in self.roots.shared_locals:
            cells, leads = cells_of.get(value), state.leads.get(value)
            if cells and leads and frame in state.inside and (frame, name, LOCAL) in leads:
                leads.remove((frame, name, LOCAL))
                state.lead(frame, state.hold[cells[0]], name, LOCAL)

    def _cells(self) -> dict[int, list[int]]:
        """The places of cells by the id of what is in them."""
        found: dict[int, list[int]] = {}
        for place in self.references.places:
            thing = self.state.hold[place]
            if self.state.kind(type(thing)) == CELL:
                try:
                    found.setdefault(id(thing.cell_contents), []).append(place)
                except ValueError:  # nothing is in it yet
                    pass
        return found

    def _write_leads(self) -> None:
        """The edges that the collector does not show."""
        for child, leads in self.state.leads.items():
            place = self.references.place_of.get(child)
            if place is not None:
                for parent, label, kind in leads:
                    if parent in self.references.row_of:
                        self._add(parent, place, label, kind)
