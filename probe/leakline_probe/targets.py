"""Says which tensors and storages are looked for, and where their memory is. The unit is the storage: views share it."""
from __future__ import annotations

import collections
from typing import Any

from .state import Places, State
from .words import TENSOR


def find_targets(state: State, device_kind: str, tensors: list[Any], storages: list[Any]) -> Places:
    """The places of wanted tensors and storages: those given, and those that the walk of the graph has found."""
    places: Places = {}
    extra: list[Any] = []
    made = [state.hold[place] for place in sorted(state.made) if state.kind(type(state.hold[place])) == TENSOR]
    odd = _add_tensors(state, device_kind, tensors + made, places, extra)
    _add_storages(state, device_kind, storages, places, set(map(id, extra)))
    if odd:
        state.remarks.add(f"{odd} tensors have no storage of their own (sparse, fake or wrapping others)")
    return places


def _add_tensors(state: State, device_kind: str, tensors: list[Any], places: Places, extra: list[Any]) -> int:
    """Returns how many have no storage. extra gets the objects that had to be made."""
    facts, odd = state.facts, 0
    for tensor in tensors:
        place = state.at[id(tensor)]
        if place in places:
            continue
        try:
            where = facts.place(tensor, extra)
            if where is None or (where[1] == 0 and facts.is_wrapper(type(tensor))):
                odd += 1
                continue
            device = facts.device(tensor)
            if _is_wanted(device_kind, device):
                places[place] = (_device_number(device),) + where
        except Exception as error:
            state.remarks.trouble("a tensor's storage", error)
    return odd


def _add_storages(state: State, device_kind: str, storages: list[Any], places: Places, ours: set[int]) -> None:
    facts = state.facts
    for store in storages:
        try:
            device = store.device
            if _is_wanted(device_kind, device) and id(store) not in ours:
                where = facts.storage_place(store._cdata) if facts.storage_at is not None else (store._cdata, store.data_ptr(), store.nbytes())
                places[state.take(store)] = (_device_number(device),) + where
        except Exception as error:
            state.remarks.trouble("a storage", error)


def _is_wanted(device_kind: str, device: Any) -> bool:
    return bool(device.type == "cpu") if device_kind == "cpu" else device.type not in ("cpu", "meta")


def _device_number(device: Any) -> int:
    return -1 if device.type == "cpu" else device.index or 0


def bytes_of(places: Places) -> int:
    """Bytes of all storages, each once."""
    return sum({key: size for _, key, _, size in places.values()}.values())


def keep_sample(places: Places, number: int) -> None:
    """Keeps so many, the first of each kind first; kinds are sizes, and those that hold most come first."""
    kinds: collections.Counter[int] = collections.Counter()
    for _, _, _, size in places.values():
        kinds[size] += size
    seen: collections.Counter[int] = collections.Counter()
    ranked = []
    for place, (_, _, _, size) in places.items():
        seen[size] += 1
        ranked.append((seen[size], -kinds[size], place))
    ranked.sort()
    for _, _, place in ranked[number:]:
        del places[place]
