"""The probe of Leakline: says, from inside a PyTorch process, who keeps every GPU tensor alive.

One file, standard library only, Python 3.9 to 3.14, torch 1.13 to 2.14. Nothing here imports torch: it is looked up in sys.modules.

    import leakline_probe
    leakline_probe.dump("job.holders")          one holder dump, now
    leakline_probe.arm("out", "exit,oom")       outputs at the exit and at the first out-of-memory error
    leakline_probe.step(); with leakline_probe.phase("validate"): ...
    @leakline_probe.profile; with leakline_probe.profile("validate"): ...

or without a change to the job, with the folder inject/ on PYTHONPATH (see inject/sitecustomize.py) and
    LEAKLINE_OUT=folder      where outputs go: NAME-PID.pickle, NAME-PID.holders, NAME-PID.counters.jsonl, NAME-PID.ready
    LEAKLINE_AT=exit,oom,growth   when: exit, oom, growth (a holder dump alone, see _Growth), interval:SECONDS, step:N, signal (SIGUSR2)
    LEAKLINE_HISTORY=200000  entries of memory history, 0 switches it off;   LEAKLINE_STACKS=python|all
    LEAKLINE_TARGET=cuda     or cpu: which tensors are looked for
    LEAKLINE_NAME=train      first part of the names;   LEAKLINE_HASH_KEYS=1: dict keys are written as hashes

How a dump works. The cyclic collector is switched off and other threads are kept from the interpreter lock, so that nothing moves and nothing
is collected: what would be garbage is evidence. Tensors and storages are found among the collector's objects. The autograd graph, which Python's
collector cannot see, is walked by hand from every tensor that has one; so are the locals of running frames. Then the closure of all that leads
to a wanted tensor is built backwards, level by level, and stops at roots that have names: modules, classes, running frames. Few wanted objects are
looked up with gc.get_referrers, many with one pass over all objects (the cost of the first grows with their number, that of the second does not).
Every object on the way is held exactly once, in Dump.hold, so that one calibration makes its reference count comparable with the number of edges
that lead to it: more references than edges means a holder outside of what Python shows, none at all from a root means a garbage cycle.

Between dumps, an armed probe counts (see _Counters): steps, phases, epochs, what functions take (profile), and what the collector frees and why it
had to wait for the collector (_Meter, _Garbage).

Rules that were paid for. No repr, hash, comparison, isinstance or attribute of an object of the job: types are read through their MRO and
values through the descriptors of the base types. No saved tensor is unpacked where a hook would run. The autograd graph is read in the main
thread only: read from another one it breaks the heap, since backward frees what is read; and not while the collector runs. No frame of our own is
kept in a variable. The file is written only after everything has been let go. Signal handlers of the job may run, and raise, at any line of this
file: what they raise goes on to the job, whose state is as before.
"""
import array
import atexit
import collections
import contextvars
import ctypes
import functools
import gc
import hashlib
import importlib.util
import itertools
import json
import operator
import os
import pickle
import signal
import struct
import sys
import threading
import time
import types
import weakref
import zlib

VERSION = "0.1.0"
MAGIC = b"LKLHOLD1"

OBJECT, MODULE, CLASS, RUNNING, SUSPENDED, FINISHED, FUNCTION, TENSOR, STORAGE, AUTOGRAD = range(10)
DICT, LIST, TUPLE, SET, CELL, CONTAINER, NN_MODULE, OPTIMIZER, LOCAL_STATE, EXCEPTION = range(10, 20)
PARAMETER, BUFFER, REQUIRES_GRAD, HAS_GRAD_FN, UNTRACKED, EXPLAINED = 1, 2, 4, 8, 16, 32
UNKNOWN, ATTRIBUTE, STRING_KEY, OTHER_KEY, INDEX, LOCAL, CLOSURE, DEFAULT, GRAPH, INTERNAL = range(10)

KEY_CHARACTERS = 60  # a key may be a document or a secret; this much names it
DEEP = 24  # levels; common chains have 6 to 8. From here on an index of all references (3 s, 270 MB a million objects) is cheaper than more passes
SMALL_FRONT = 70  # below, get_referrers is quicker than a pass over the heap (0.03 s and 1.7 ms a target against 0.25 s, a million objects)
GRAPH_NODES, GRAPH_SECONDS = 200_000, 1.0  # 5 us a node: what a pause may cost
GRAPH_TURN = 10_000  # nodes, so that one huge graph leaves room for others
CLOSURE_NODES = 400_000  # 15 us each, until they are written
SAMPLES = (None, 4.0), (2000, 2.0), (64, 2.0)  # tensors whose holders are looked for, and seconds; the fewer, the faster
HOLD_LOCK_SECONDS, HOLD_LOCK_A_MILLION = 0.5, 3.0  # how long other threads wait for the interpreter: as long as a dump takes, by the number of objects
STRING_BYTES, STRING_TOTAL = 4096, 15 << 20  # the format allows 16 MiB
FROZEN = 5_000  # Python 3.12 freezes some 400 objects of its own at its start; a job that calls gc.freeze() hides at least a bare torch's 100,000
IMMORTAL = 1 << 28  # Python 3.12 gives immortal objects counts above this

_OLD_FRAMES = sys.version_info < (3, 11)  # frames are objects that the collector looks into, also while they run
_SNAPSHOT_LOCALS = sys.version_info < (3, 13)  # f_locals leaves a dict on the frame
_mro = type.__dict__["__mro__"].__get__
_class_dict = type.__dict__["__dict__"].__get__
_qualified = type.__dict__["__qualname__"].__get__
_module_of = type.__dict__["__module__"].__get__
_module_dict = types.ModuleType.__dict__["__dict__"].__get__
_getset, _member = types.GetSetDescriptorType, types.MemberDescriptorType
_lru = type(functools.lru_cache(None)(int))
_GENERATOR, _COROUTINE = 0x20, 0x80  # flags of code objects, as inspect has them
# Types are told apart by their id: a metaclass of the job may have a hash and an equality of its own.
_suspended_ids = {id(kind) for kind in (types.GeneratorType, types.CoroutineType, types.AsyncGeneratorType)}
_exact_kinds = {id(types.FunctionType): FUNCTION, id(types.TracebackType): EXCEPTION, id(types.FrameType): FINISHED, id(types.MethodType): FUNCTION,
                id(types.BuiltinMethodType): FUNCTION, id(_lru): FUNCTION, id(types.MappingProxyType): CONTAINER}
_plain_keys = {id(kind) for kind in (int, float, complex, bool, type(None))}
_plain_containers = {id(kind) for kind in (dict, list, tuple, set, frozenset, types.FunctionType, types.FrameType, types.CellType)}
_plain_ids = {id(kind) for kind in (types.MethodType, types.BuiltinMethodType, types.TracebackType, types.MappingProxyType, BaseException,
                                    functools.partial)}
_state_types = {"_thread._local", "_thread._localdummy", "Context", "_contextvars.Context", "contextvars.Context", "hamt", "hamt_bitmap_node",
                "hamt_array_node", "hamt_collision_node", "Token", "_contextvars.Token", "contextvars.Token", "_thread._localimpl"}

_busy = False
last_error = None
_forked = False


def _began_us():
    """When this process began, in Unix microseconds: the same for every probe that visits it. Without /proc, when this one was loaded."""
    try:
        with open("/proc/self/stat", "rb") as file:
            ticks = int(file.read().rpartition(b")")[2].split()[19])
        with open("/proc/stat", "rb") as file:
            boot = next(int(line.split()[1]) for line in file if line.startswith(b"btime "))
        return boot * 1_000_000 + ticks * 1_000_000 // os.sysconf("SC_CLK_TCK")
    except Exception:  # another system
        return _loaded_us


_loaded_us = int(time.time() * 1e6)


# ---------------------------------------------------------------------------------------------------------------- what this torch is like

class _Torch:
    """What is read of tensors, by descriptors that no subclass of the job can override, and where C++ keeps its counts (found by a test)."""

    def __init__(self, torch):
        self.torch = torch
        core = torch._C
        base = getattr(core, "TensorBase", None) or core._TensorBase
        self.tensor, self.parameter = torch.Tensor, torch.nn.Parameter
        self.storage = getattr(torch, "UntypedStorage", None) or torch._UntypedStorage
        self.module = torch.nn.Module
        self.optimizer = torch.optim.Optimizer
        self.quiet = core.DisableTorchFunction
        self.version = str(torch.__version__)
        field = lambda name: base.__dict__[name].__get__  # noqa: E731
        self.cdata, self.grad_fn, self.dtype, self.shape = field("_cdata"), field("grad_fn"), field("dtype"), field("shape")
        self.device, self.requires_grad = field("device"), field("requires_grad")
        self.grad = field("_grad" if "_grad" in base.__dict__ else "grad")
        self.storage_at = self.data_at = self.bytes_at = None
        self.counts = self.cpp_reference = False
        self.wrapped = {}
        try:
            with self.quiet():
                self._calibrate()
        except Exception as error:  # a mode of the job is on, or the layout is new: the slow way works as well
            _pass_on(error)
            self.storage_at = None

    def _calibrate(self):
        torch = self.torch
        samples = [torch.empty(n, dtype=torch.uint8, device="cpu") for n in (1013, 3511)]
        stores = [self._untyped(sample) for sample in samples]
        at = [self._where(self.cdata(t), s._cdata) for t, s in zip(samples, stores)]
        data = [self._where(s._cdata, s.data_ptr()) for s in stores]
        size = [self._where(s._cdata, s.nbytes()) for s in stores]
        if at[0] == at[1] and data[0] == data[1] and size[0] == size[1] and None not in at + data + size:
            self.storage_at, self.data_at, self.bytes_at = at[0], data[0], size[0]
        before = self.strong(self.cdata(samples[0])), self.strong(stores[0]._cdata)
        view = samples[0][1:]
        after = self.strong(self.cdata(samples[0])), self.strong(stores[0]._cdata)
        self.counts = before[0] == 1 and after[1] == before[1] + 1 and self.strong(self.cdata(view)) == 1
        leaf = torch.empty(1, device="cpu", requires_grad=True)
        count = sys.getrefcount(leaf)
        with torch.enable_grad():
            kept = leaf * leaf  # noqa: F841  (C++ now owns the leaf too)
        self.cpp_reference = sys.getrefcount(leaf) == count + 1

    def _untyped(self, tensor):
        try:
            return self.torch.Tensor.untyped_storage(tensor)
        except AttributeError:  # 1.13
            return self.torch.Tensor.storage(tensor).untyped()

    @staticmethod
    def _where(address, value):
        for offset in range(16, 64, 8):
            if ctypes.c_uint64.from_address(address + offset).value == value:
                return offset
        return None

    @staticmethod
    def strong(address):
        """The owners of an intrusive_ptr: a count of its own on 1.13, the low half of a word since."""
        return ctypes.c_uint32.from_address(address + 8).value

    def owners(self, address):
        return self.strong(address) if self.counts else -1

    def place(self, tensor, hold):
        """(key, data pointer, bytes) of the tensor's storage, or None. hold keeps what had to be made."""
        if self.storage_at is not None:
            key = ctypes.c_uint64.from_address(self.cdata(tensor) + self.storage_at).value
            return self.storage_place(key) if key else None
        untyped = self._untyped(tensor)
        hold.append(untyped)
        return untyped._cdata, untyped.data_ptr(), untyped.nbytes()

    def storage_place(self, key):
        data = ctypes.c_uint64.from_address(key + self.data_at).value
        size = ctypes.c_uint64.from_address(key + self.bytes_at).value
        return key, data, size if data and size < 1 << 56 else 0  # symbolic sizes are tagged in the highest bits

    def is_wrapper(self, kind):
        """True of tensor classes whose own code answers for shape and device: their inner tensors are the real ones."""
        known = self.wrapped.get(id(kind))
        if known is None:
            own = [c for c in _mro(kind) if c is not self.tensor and c is not self.parameter and not (_module_of(c) or "").startswith("torch._C")]
            known = self.wrapped[id(kind)] = any("__torch_dispatch__" in _class_dict(c) for c in own)
        return known


_facts = None


def _torch_ready():
    """The facts of torch if it is imported to its end, else None."""
    global _facts
    torch = sys.modules.get("torch")
    if _facts is None and torch is not None:
        try:
            _facts = _Torch(torch)
        except Exception as error:  # half imported, or no torch at all but something of its name
            _pass_on(error)
            _note_error(error)
    return _facts


# ------------------------------------------------------------------------------------------------------------------------- small helpers

def _entry(function):
    """What the job or Python calls. What goes wrong in the probe ends here; what a signal handler of the job raises meanwhile goes on to the job."""
    @functools.wraps(function)
    def entry(*arguments, **named):
        try:
            return function(*arguments, **named)
        except BaseException as error:
            if _is_of_the_job(error):
                _clear_frames(error)
                raise
            _note_error(error)
    entry._torchdynamo_disable = True  # torch.compile leaves it out, and does not warn of what it finds in it
    return entry


def _is_of_the_job(error):
    """True of KeyboardInterrupt, SystemExit and all that was raised below a signal handler, which runs wherever the main thread happens to be."""
    if not _descends(type(error), Exception):
        return True
    codes, trace = set(), error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename != __file__:
            codes.add(id(trace.tb_frame.f_code))
        trace = trace.tb_next
    return bool(codes) and _is_main_thread() and any(id(_code_of(signal.getsignal(number))) in codes for number in signal.valid_signals())


def _pass_on(error):
    if _is_of_the_job(error):
        raise error


def _code_of(handler):
    """The code of a function or method of Python; of all else an object that no frame has."""
    if type(handler) is types.MethodType:
        handler = handler.__func__
    return handler.__code__ if type(handler) is types.FunctionType else _code_of


def _clear_frames(error):
    """Whoever keeps the error keeps our frames, and they would keep what we looked at."""
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == __file__:
            try:
                trace.tb_frame.clear()
            except RuntimeError:  # it still runs
                pass
        trace = trace.tb_next


class _Later:
    """Something to do at one of the main thread's next instructions, where it may also raise; not before the collector is done.

    Python calls a function of C for us there, and PyObject_IsTrue is one that asks its argument's class. To ask is a property and no method, because
    after a call Python looks for pending calls at once, finds that it is handling them already, and since 3.13 forgets that there is one.
    """
    waiting = []  # what Python has no reference to
    ask = property(functools.partial(ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.py_object)(("Py_AddPendingCall", ctypes.pythonapi)),
                                     ctypes.cast(ctypes.pythonapi.PyObject_IsTrue, ctypes.c_void_p)))

    def __init__(self, action):
        self.action = action
        _Later.waiting.append(self)
        self.ask  # noqa: B018

    def __bool__(self):
        if _is_collecting():
            self.ask  # noqa: B018
        elif self in _Later.waiting:
            _Later.waiting.remove(self)
            self.action()
        return False  # anything else is an error


def _is_collecting():
    """True between the collector's callbacks and in them; its lists are in pieces then, and C++ may be half way through its work."""
    frame = sys._getframe()
    while frame is not None and frame.f_code is not _Meter.__call__.__code__:
        frame = frame.f_back
    return frame is not None or _meter.is_inside


def _throw(error):
    raise error


def _note_error(error):
    global last_error
    last_error = f"{type(error).__name__}: {error}"[:300]
    if os.environ.get("LEAKLINE_DEBUG"):
        import traceback
        traceback.print_exception(type(error), error, error.__traceback__)


def _type_name(kind):
    module, name = _module_of(kind), _qualified(kind)
    if type(name) is not str:
        name = "?"
    return name if type(module) is not str or module == "builtins" else f"{module}.{name}"


def _descends(kind, base):
    for c in _mro(kind):
        if c is base:
            return True
    return False


def _kinds_of(objects):
    """All types among them, by id. In C: half a second a million objects counts."""
    kinds = list(map(type, objects))
    return dict(zip(map(id, kinds), kinds))


def _of_kinds(objects, ids):
    """Those whose type has one of the ids."""
    return list(itertools.compress(objects, map(ids.__contains__, map(id, map(type, objects)))))


def _cut(text, limit=KEY_CHARACTERS):
    return text if len(text) <= limit else text[:limit - 1] + "\u2026"


def _key_text(key, depth=0):
    """How a dict key is shown: the value of plain keys, the type of all others, whose code must not run."""
    kind = type(key)
    if kind is str:
        text = key[:KEY_CHARACTERS + 1]
    elif id(kind) in _plain_keys:
        text = repr(key) if kind is not int or -1 << 63 < key < 1 << 63 else "a long int"
    elif kind is tuple and depth < 2:
        text = "(" + ", ".join([_key_text(part, depth + 1) for part in key[:6]]) + (", \u2026)" if len(key) > 6 else ",)" if len(key) == 1 else ")")
    elif _descends(kind, str):
        text = str.__str__(key)[:KEY_CHARACTERS + 1]
    else:
        return f"<{_type_name(kind)}>"
    return _cut(text) if depth or not _hash_keys() else "#" + hashlib.sha1(text.encode("utf-8", "replace")).hexdigest()[:10]


def _hash_keys():
    return os.environ.get("LEAKLINE_HASH_KEYS", "") not in ("", "0")


def _where_is(code, line=None):
    return f"{getattr(code, 'co_qualname', code.co_name)} ({os.path.basename(code.co_filename)}:{line or code.co_firstlineno})"


def _locals_of(frame):
    """(name, value) of a frame's own variables, without leaving the dict that f_locals makes up to Python 3.12."""
    if not frame.f_code.co_flags & 1:  # a module's or class body's: its dict is the namespace itself
        return [] if frame.f_locals is frame.f_globals else list(dict.items(frame.f_locals)) if type(frame.f_locals) is dict else []
    if not _SNAPSHOT_LOCALS:
        return list(frame.f_locals.items())
    names = frame.f_locals
    found = list(names.items())
    if sys.gettrace() is None and frame.f_trace is None and sys.getrefcount(names) <= 3:  # the frame's, ours, the call's: nobody else sees it
        names.clear()
    return found


def _frames():
    """The running frames of all threads, but for ours."""
    found = []
    for frame in sys._current_frames().values():
        while frame is not None:
            if frame.f_code.co_filename != __file__:
                found.append(frame)
            frame = frame.f_back
    return found


def _is_main_thread():
    return threading.get_ident() == threading.main_thread().ident


def _hold_lock(interval):
    """Keeps other threads from the interpreter for as long as a dump takes.

    One that waits already asks for the lock after the old interval. So that it does not get it in the middle of the dump, that interval is waited out,
    asleep with the lock held: it asks now, has its turn as soon as we wake, and waits the new interval for the next one.
    """
    sys.setswitchinterval(HOLD_LOCK_SECONDS + len(gc.get_objects()) * HOLD_LOCK_A_MILLION / 1e6)
    if len(sys._current_frames()) > 1:
        ctypes.PyDLL(None).usleep(int(min(interval, 0.02) * 3e6))  # thrice: a busy machine wakes threads late


# ---------------------------------------------------------------------------------------------------------------------------- the dump

class Dump:
    """One holder dump. collect() pauses the job and fills columns; encode() makes the bytes; nothing of the job is kept after let_go()."""

    def __init__(self, reason, target, step, walks_graph=True):
        self.reason, self.target, self.step, self.walks_graph = reason, target, step, walks_graph
        self.notes, self.graph, self.graph_reason = [], "skipped", ""
        self.strings, self.string_bytes = {"": 0}, 0
        self.hold, self.at, self.up = [], {}, {}
        self.kinds, self.type_names, self.texts = {}, {}, {}
        self.roots, self.made, self.inside = set(), set(), {}
        self.cells_of_frames = []
        self.rows = {tag: array.array("i") for tag in ("NODE", "TENS", "EDGE")}
        self.storages = bytearray()
        self.objects, self.frozen, self.threads, self.sample = 0, 0, 0, None
        self.modules, self.running, self.attribute_dicts, self.tuple_labels = {}, {}, set(), {}
        self.context_names = {}

    # -- strings

    def text(self, value):
        number = self.strings.get(value)
        if number is None:
            size = len(value.encode("utf-8", "replace"))
            if size > STRING_BYTES or self.string_bytes + size > STRING_TOTAL:
                return self.text(_cut(value, 900)) if size > STRING_BYTES else 0
            self.string_bytes += size + 4
            number = self.strings[value] = len(self.strings)
        return number

    # -- holding

    def take(self, thing):
        """The place of an object in hold, its only reference from here."""
        place = self.at.get(id(thing))
        if place is None:
            place = self.at[id(thing)] = len(self.hold)
            self.hold.append(thing)
        return place

    def lead(self, parent, child, label, kind):
        """An edge that the collector does not show: parent is a place in hold."""
        self.up.setdefault(id(child), []).append((parent, label, kind))

    # -- kinds of objects, by the MRO of their type

    def kind(self, kind):
        known = self.kinds.get(id(kind))
        if known is None:
            known = self.kinds[id(kind)] = self._kind(kind)
            self.type_names[id(kind)] = _type_name(kind)
        return known

    def _kind(self, kind):
        facts = self.facts
        by_torch = ((facts.tensor, TENSOR), (facts.storage, STORAGE), (facts.module, NN_MODULE), (facts.optimizer, OPTIMIZER)) if facts else ()
        bases = by_torch + ((type, CLASS), (types.ModuleType, MODULE), (dict, DICT), (list, LIST), (tuple, TUPLE), (set, SET), (frozenset, SET),
                            (types.CellType, CELL), (BaseException, EXCEPTION), (collections.deque, CONTAINER))
        if id(kind) in _suspended_ids:
            return SUSPENDED
        if id(kind) in _exact_kinds:
            return _exact_kinds[id(kind)]
        if _type_name(kind) in _state_types:
            return LOCAL_STATE
        for c in _mro(kind):
            for base, result in bases:
                if c is base:
                    return result
        return OBJECT

    # -- the pause

    def run(self):
        begin = time.perf_counter()
        self.facts = _torch_ready()
        collecting, interval = gc.isenabled(), sys.getswitchinterval()
        gc.disable()
        try:
            if self.facts:
                _hold_lock(interval)
                with self.facts.quiet():
                    self._collect()
        finally:
            sys.setswitchinterval(interval)
            if collecting:
                gc.enable()
            self.let_go()
        self.pause_ms = round((time.perf_counter() - begin) * 1e3, 1)

    def let_go(self):
        for held in (self.up, self.at, self.hold, self.modules, self.running):
            held.clear()

    def _collect(self):
        objects = gc.get_objects()
        places = self._look(objects)
        del objects[:]  # from here on hold is the only holder of ours
        self._number()
        self._drop_idle_storages(places)
        self._write_nodes(places)
        self._write_edges()

    def _look(self, objects):
        """Fills hold with all that leads to a tensor; returns the places of what is looked for."""
        self.objects, self.frozen = len(objects), gc.get_freeze_count()
        if self.frozen > FROZEN:
            self._add_frozen(objects)
        tensors, stores = self._find(objects)
        self._find_frames()
        self._walk_graph(tensors)
        places = self._targets(tensors, stores)
        del tensors[:], stores[:]  # a list of ours is no holder
        self._close(objects, places)
        return places

    def _add_frozen(self, objects):
        """gc.freeze() hides objects from get_objects: most are found again by walking on from modules, frames and classes."""
        seen = set(map(id, objects))
        seen.add(id(objects))
        level = [[sys.modules] + list(_kinds_of(objects).values()) + [value for frame in _frames() for _, value in _locals_of(frame)]]
        limit = time.perf_counter() + 3
        while level and time.perf_counter() < limit:
            following = []
            for index in range(0, len(level), 10_000):
                for thing in gc.get_referents(*level[index:index + 10_000]):
                    if id(thing) not in seen and gc.is_tracked(thing):
                        seen.add(id(thing))
                        following.append(thing)
            objects.extend(following)
            level = following
        self.notes.append(f"gc.freeze() hides {self.frozen} objects; {len(objects) - self.objects} were found by walking on from modules, frames and classes")

    def _find(self, objects):
        """One pass picks all that is looked at by type, tensors, storages, modules, thread-locals and autograd nodes."""
        kinds = _kinds_of(objects)
        wanted = {sort: {key for key, kind in kinds.items() if self.kind(kind) == sort} for sort in (TENSOR, STORAGE, MODULE)}
        nodes = {key for key, kind in kinds.items() if self._is_autograd(kind)}
        names = {self.type_names[key].rpartition(".")[2] for key in kinds}
        self.hooked = bool(names & {"_CheckpointFrame", "_Holder", "saved_tensors_hooks", "save_on_cpu"})
        all_keys = wanted[TENSOR] | wanted[STORAGE] | wanted[MODULE] | nodes | {id(threading.local)}
        picked = _of_kinds(objects, all_keys)
        tensors, stores = _of_kinds(picked, wanted[TENSOR]), _of_kinds(picked, wanted[STORAGE])
        for tensor in tensors:
            self.take(tensor)
        self._find_roots(_of_kinds(picked, wanted[MODULE]))
        self._find_state([thing for thing in picked if type(thing) is threading.local])
        self.nodes_before = {id(thing) for thing in picked if id(type(thing)) in nodes}
        return tensors, stores

    def _find_roots(self, modules):
        for module in modules + [thing for thing in list(sys.modules.values()) if self.kind(type(thing)) == MODULE]:
            names = _module_dict(module)
            if names is not None:
                name = names.get("__name__")
                self.modules[id(names)] = name if type(name) is str else "?"

    def _find_frames(self):
        """Frames of all threads, deepest first. Locals of a frame that runs are not shown by the collector since Python 3.11."""
        current = sys._current_frames()
        self.threads = len(current)
        mine = threading.get_ident()
        for ident, frame in current.items():
            place = None
            while frame is not None:
                if frame.f_code.co_filename != __file__:
                    place = self._add_frame(frame, ident, ident == mine)
                    self._add_handled(ident, place)
                    frame = frame.f_back
                    break
                frame = frame.f_back
            while frame is not None:
                if frame.f_code.co_filename != __file__:
                    self._add_frame(frame, ident, ident == mine)
                frame = frame.f_back
        current.clear()

    def _add_frame(self, frame, ident, mine):
        place = self.take(frame)
        self.roots.add(place)
        thread = "" if ident == threading.main_thread().ident else f" in thread {self._thread_name(ident)}"
        self.running[id(frame)] = place
        self.texts[place] = _where_is(frame.f_code, frame.f_lineno) + thread
        shared = frame.f_code.co_cellvars + frame.f_code.co_freevars
        for name, value in _locals_of(frame):
            if name in shared:
                self.cells_of_frames.append((place, name, id(value)))
            self.lead(place, value, name, LOCAL)
        return place

    @staticmethod
    def _thread_name(ident):
        thread = threading._active.get(ident)
        name = thread.__dict__.get("_name") if thread is not None else None
        return name if type(name) is str else str(ident)

    def _add_handled(self, ident, place):
        current = getattr(sys, "_current_exceptions", None)
        error = current().get(ident) if current else None
        error = error[1] if type(error) is tuple else error
        if error is not None:
            self.lead(place, error, "the exception being handled", LOCAL)

    def _find_state(self, locals_of_threads):
        """Thread-locals of this thread and the current context's variables get their names."""
        for thing in locals_of_threads:
            names = thing.__dict__  # of this exact type: runs nothing of the job
            self.lead(self.take(thing), names, "__dict__", INTERNAL)
            self.attribute_dicts.add(id(names))
        for variable, value in contextvars.copy_context().items():
            self.context_names[id(value)] = variable.name

    # -- autograd

    def _walk_graph(self, tensors):
        if not self.walks_graph:
            self.graph_reason = "the job was entered while it waited in C, where autograd must not be read"
            self._tensor_dicts(tensors, False)
            return
        if not _is_main_thread():
            self.graph_reason = "the dump ran in a second thread, where autograd must not be read"
            self._tensor_dicts(tensors, False)
            return
        if not getattr(sys, "_is_gil_enabled", lambda: True)():
            self.graph_reason = "this Python runs without the interpreter lock"
            self._tensor_dicts(tensors, False)
            return
        self.graph = "walked"
        front = self._tensor_dicts(tensors, True)
        self._visit_nodes(front)
        self.made = {place for place in self.made if id(self.hold[place]) not in self.nodes_before}

    def _tensor_dicts(self, tensors, graph):
        """What a tensor itself refers to; returns its autograd nodes, the first of each kind first, so that a walk cut short has seen all kinds."""
        facts, starts = self.facts, []
        seen = collections.Counter()
        index = 0
        while index < len(tensors):
            tensor = tensors[index]
            index += 1
            place = self.at[id(tensor)]
            names = self._own_dict(tensor)
            if names:
                self.attribute_dicts.add(id(names))
                self.lead(place, names, "__dict__", INTERNAL)
            if not graph or facts.is_wrapper(type(tensor)):
                continue
            try:
                node = facts.grad_fn(tensor)
                if node is not None:
                    self._grad_edge(place, node, "grad_fn")
                    kind = id(type(tensor)), id(type(node)), self._shape_of(tensor)
                    seen[kind] += 1
                    starts.append((seen[kind], self.at[id(node)]))
                elif facts.requires_grad(tensor):
                    gradient = facts.grad(tensor)
                    if gradient is not None:
                        if id(gradient) not in self.at:
                            tensors.append(gradient)
                        self._grad_edge(place, gradient, "grad")
            except Exception as error:
                self._trouble("a tensor's graph", error)
        starts.sort(key=lambda pair: pair[0])
        return [place for _, place in starts]

    def _shape_of(self, tensor):
        """A shape that can be compared: symbolic sizes, whose comparison runs code, are None. Nested tensors have none."""
        try:
            return tuple([size if type(size) is int else None for size in tuple(self.facts.shape(tensor))])
        except Exception as error:
            _pass_on(error)
            return ()

    def _grad_edge(self, place, child, label):
        if id(child) not in self.at:
            self.made.add(self.take(child))
        self.lead(place, child, label, GRAPH)

    def _trouble(self, what, error):
        _pass_on(error)
        note = f"{what} could not be read: {type(error).__name__}"
        if note not in self.notes and len(self.notes) < 40:
            self.notes.append(note)

    def _visit_nodes(self, front):
        """Walks one graph after the other, large ones in turns, until there is no time left: whole graphs of all kinds say more than the tops of all."""
        limit = time.thread_time() + GRAPH_SECONDS
        seen, fields, queues = set(front), {}, [collections.deque([start]) for start in dict.fromkeys(front)]
        graphs, nodes = len(queues), len(front)
        while queues:
            following = []
            for number, queue in enumerate(queues):
                nodes += self._visit_some(queue, seen, fields, limit)
                if queue:
                    following.append(queue)
                if nodes > GRAPH_NODES or time.thread_time() > limit:
                    left = len(following) + len(queues) - number - 1
                    if left:
                        self.graph = "cut"
                        self.graph_reason = f"the graphs of {graphs - left} of {graphs} tensors were walked to their end, the first of each kind first"
                    return
            queues = following

    def _visit_some(self, queue, seen, fields, limit):
        """One turn in one graph; the number of nodes that were new."""
        before = len(seen)
        while queue and len(seen) - before < GRAPH_TURN and time.thread_time() < limit:
            place = queue.popleft()
            for child in self._visit(place, self.hold[place], fields):
                if child not in seen:
                    seen.add(child)
                    queue.append(child)
        return len(seen) - before

    def _visit(self, place, node, fields):
        """Edges of one autograd node; returns the places of the nodes that it leads to."""
        known = fields.get(id(type(node)))
        if known is None:
            names = dir(type(node))
            known = fields[id(type(node))] = ([n for n in names if n.startswith("_raw_saved_")], "variable" in names)
        following = []
        try:
            for index, (child, _) in enumerate(node.next_functions):
                if child is not None:
                    self._grad_edge(place, child, f"next_functions[{index}]")
                    following.append(self.at[id(child)])
            if known[1]:
                variable = node.variable
                self._grad_edge(place, variable, "variable")
        except Exception as error:
            self._trouble("an autograd node", error)
        for name in known[0]:
            following += self._saved(place, node, name)
        return following

    def _saved(self, place, node, name):
        try:
            raw = getattr(node, name)
        except Exception as error:  # RuntimeError: the graph was freed by backward, which is what one hopes for
            _pass_on(error)
            return ()
        following = []
        several = type(raw) is tuple or type(raw) is list
        for index, saved in enumerate(raw if several else (raw,)):
            label = name[5:] + (f"[{index}]" if several else "")
            value = self._unpacked(node, name, index if several else None, saved)
            if value is None:
                continue
            self._grad_edge(place, value, label)
            if self.kind(type(value)) == TENSOR and not self.facts.is_wrapper(type(value)):
                inner = self.facts.grad_fn(value)
                if inner is not None:
                    self._grad_edge(self.at[id(value)], inner, "grad_fn")
                    following.append(self.at[id(inner)])
        return following

    def _unpacked(self, node, name, index, saved):
        """The saved tensor, or what a pack hook made of it, and never by running an unpack hook."""
        if saved is None:
            return None
        try:
            if hasattr(type(saved), "unpack_hook"):
                return saved.data
            if self.hooked:
                self._say("saved tensors were not looked inside: saved-tensor hooks are in use")
                return None
            if name == "_raw_saved_tensors" and not hasattr(type(node), "_saved_tensors"):
                value = node.saved_tensors
            else:
                value = getattr(node, name[4:])
            return value if index is None else value[index]
        except Exception as error:
            _pass_on(error)
            return None

    def _say(self, note):
        if note not in self.notes:
            self.notes.append(note)

    # -- what is looked for

    def _targets(self, tensors, stores):
        """Of each place of a wanted tensor or storage: its device, and the storage's address, data and bytes."""
        made = [self.hold[place] for place in sorted(self.made) if self.kind(type(self.hold[place])) == TENSOR]
        places, extra, odd = {}, [], 0
        for tensor in tensors + made:
            place = self.at[id(tensor)]
            if place in places:
                continue
            try:
                where = self.facts.place(tensor, extra)
                if where is None or (where[1] == 0 and self.facts.is_wrapper(type(tensor))):
                    odd += 1
                    continue
                device = self.facts.device(tensor)
                if self._wanted(device):
                    places[place] = (-1 if device.type == "cpu" else device.index or 0,) + where
            except Exception as error:
                self._trouble("a tensor's storage", error)
        for store in stores:
            try:
                device = store.device
                if self._wanted(device) and id(store) not in map(id, extra):
                    where = self.facts.storage_place(store._cdata) if self.facts.storage_at is not None else (store._cdata, store.data_ptr(), store.nbytes())
                    places[self.take(store)] = (-1 if device.type == "cpu" else device.index or 0,) + where
            except Exception as error:
                self._trouble("a storage", error)
        if odd:
            self.notes.append(f"{odd} tensors have no storage of their own (sparse, fake or wrapping others)")
        return places

    def _wanted(self, device):
        return device.type == "cpu" if self.target == "cpu" else device.type not in ("cpu", "meta")

    # -- the closure

    def _close(self, objects, places):
        """The closure of all that leads to the places; where that takes too long, of a sample of them, and then the others are left out."""
        tensors, size = len(places), _bytes_of(places)
        for number, seconds in SAMPLES:
            if number is not None and number >= len(places):
                continue
            if number is not None:
                _keep_sample(places, number)
                self.sample = {"tensors": len(places), "of": tensors, "bytes": _bytes_of(places), "of_bytes": size}
            if self._search(objects, list(places), time.thread_time() + seconds):
                break
        else:
            self.notes.append("the search for holders was cut: it became too large")
        if self.sample:
            self.notes.append("holders were looked for of {tensors} of {of} tensors, the first of each kind first, with {bytes} of {of_bytes} bytes; "
                              "the others are not in this dump".format(**self.sample))

    def _search(self, objects, targets, limit):
        """Fills inside; False where it became too large."""
        hidden = {id(objects), id(self.hold), id(targets)}
        self.inside = dict.fromkeys(targets)
        pending, levels, referrers = targets, 0, None
        while pending:
            levels += 1
            pending = self._up(list(pending))
            searched = [self.hold[place] for place in pending if place not in self.made and place not in self.roots]
            if not searched:
                return True
            hidden.add(id(searched))
            if len(self.inside) > CLOSURE_NODES or time.thread_time() > limit:
                return False
            if levels == DEEP:
                referrers = self._all_referrers(objects)
            pending = self._admit(self._parents(objects, searched, hidden, referrers))  # no list of ours that holds them may live into the next turn
            hidden.discard(id(searched))
        return True

    def _up(self, pending):
        """Follows edges known from our own walks to their end; all places that are new."""
        stack, fresh = list(pending), list(pending)
        while stack:
            for parent, _, _ in self.up.get(id(self.hold[stack.pop()]), ()):
                if parent not in self.inside:
                    self.inside[parent] = None
                    fresh.append(parent)
                    if parent not in self.roots:
                        stack.append(parent)
        return fresh

    @staticmethod
    def _all_referrers(objects):
        """For each id the places in objects of those that refer to it."""
        referrers, tracked = {}, gc.is_tracked
        for index, thing in enumerate(objects):
            for child in gc.get_referents(thing):
                if tracked(child):
                    referrers.setdefault(id(child), []).append(index)
        return referrers

    def _parents(self, objects, searched, hidden, referrers):
        if referrers is not None:
            places = {place for thing in searched for place in referrers.get(id(thing), ())}
            return [thing for thing in map(objects.__getitem__, places) if id(thing) not in hidden and not _is_own(thing)]
        if len(searched) < SMALL_FRONT and self.frozen <= FROZEN:
            wanted = tuple(searched)
            found = gc.get_referrers(*wanted)
            return [thing for thing in found if id(thing) not in hidden and thing is not wanted and not _is_own(thing)]
        ids = set(map(id, searched))
        apart, referents = ids.isdisjoint, gc.get_referents
        found = [thing for thing in objects if not apart(map(id, referents(thing)))]
        return [thing for thing in found if id(thing) not in hidden and not _is_own(thing)]

    def _admit(self, found):
        pending = []
        for thing in found:
            place = self.take(thing)
            if place in self.inside:
                continue
            self.inside[place] = None
            if self._is_root(thing):
                self.roots.add(place)
            else:
                pending.append(place)
        return pending

    def _is_root(self, thing):
        return self.kind(type(thing)) in (CLASS, MODULE) or id(thing) in self.modules or id(thing) in self.running

    # -- numbers

    def _number(self):
        counts = list(map(sys.getrefcount, self.hold))
        sample = [object()]
        own = list(map(sys.getrefcount, sample))[0]
        self.counts = [-1 if count > IMMORTAL else max(count - own, 0) for count in counts]
        self.nodes = sorted(self.inside)
        self.index = {id(self.hold[place]): place for place in self.nodes}
        self.held = {id(child) for place in self.nodes for child in gc.get_referents(self.hold[place]) if id(child) in self.index}
        self.held.update([child for child, leads in self.up.items() if any(parent in self.inside for parent, _, _ in leads)])

    def _drop_idle_storages(self, places):
        """A storage object that only C++ keeps, for the day somebody asks for it again, holds nothing."""
        idle = {place for place in self.nodes if self.kind(type(self.hold[place])) == STORAGE and self.counts[place] <= 1
                and id(self.hold[place]) not in self.held}
        self.nodes = [place for place in self.nodes if place not in idle]
        for place in idle:
            del self.index[id(self.hold[place])], places[place]

    # -- columns

    def _write_nodes(self, places):
        self.number = {place: row for row, place in enumerate(self.nodes)}
        flags = self._tensor_rows(places)
        node = self.rows["NODE"]
        for place in self.nodes:
            thing = self.hold[place]
            kind = self._node_kind(place, thing)
            text, length = self._describe(place, thing, kind)
            node.extend((self.text(self._type_text(thing)), self.text(text), kind, length, self._refs(place, kind), self._flags(place, thing, kind, flags)))

    def _type_text(self, thing):
        kind = type(thing)
        self.kind(kind)
        return self.type_names[id(kind)]

    def _node_kind(self, place, thing):
        if id(thing) in self.running:
            return RUNNING
        if id(thing) in self.modules:
            return MODULE
        kind = self.kind(type(thing))
        if kind == FINISHED and _OLD_FRAMES and self._is_suspended(thing):
            return SUSPENDED
        if kind == OBJECT and (place in self.made or self._is_autograd(type(thing))):
            return AUTOGRAD
        return kind

    def _is_autograd(self, kind):
        return "next_functions" in _class_dict(kind) or any("next_functions" in _class_dict(c) for c in _mro(kind))

    @staticmethod
    def _is_suspended(frame):
        return any(id(type(thing)) in _suspended_ids for thing in gc.get_referrers(frame))

    def _refs(self, place, kind):
        if kind in (RUNNING, MODULE, CLASS) or (place in self.made and kind == TENSOR):
            return -1
        count = self.counts[place]
        if kind == TENSOR and self.facts.counts and self.facts.strong(self.facts.cdata(self.hold[place])) > 1:
            # C++ owns it too, and with it one reference to the Python object: always since 2.10, before only when Python has none
            count -= self.facts.cpp_reference or (count == 1 and id(self.hold[place]) not in self.held)
        return max(count, 0)

    def _flags(self, place, thing, kind, flags):
        bits = flags.get(place, 0)
        if not gc.is_tracked(thing):
            bits |= UNTRACKED
        if kind in (AUTOGRAD, RUNNING, STORAGE) or place in self.made:
            bits |= EXPLAINED
        return bits

    def _describe(self, place, thing, kind):
        text = self.texts.get(place)
        try:
            return (text, -1) if text is not None else self._text_of(thing, kind)
        except Exception as error:
            _pass_on(error)
            return "", -1

    def _text_of(self, thing, kind):
        name = self.type_names[id(type(thing))]
        for wanted, base in ((DICT, dict), (LIST, list), (TUPLE, tuple)):
            if kind == wanted:
                length = base.__len__(thing)
                return f"{name}, {length} {'item' if length == 1 else 'items'}", length
        if kind == SET:
            length = set.__len__(thing) if _descends(type(thing), set) else frozenset.__len__(thing)
            return f"{name}, {length} items", length
        if kind == CONTAINER and _descends(type(thing), collections.deque):
            length = collections.deque.__len__(thing)
            return f"{name}, {length} items", length
        if kind == MODULE:
            return self.modules.get(id(thing)) or "module", -1
        if kind == CLASS:
            return _type_name(thing), -1
        if kind == TENSOR:
            return self.texts.get(id(thing), name.rpartition(".")[2]), -1
        if kind in (FINISHED, SUSPENDED):
            frame = thing if type(thing) is types.FrameType else self._frame_of(thing)
            return (_where_is(frame.f_code, frame.f_lineno) if frame is not None else name), -1
        return self._callable_text(thing, name), -1

    @staticmethod
    def _frame_of(thing):
        return getattr(thing, "gi_frame", None) or getattr(thing, "cr_frame", None) or getattr(thing, "ag_frame", None)

    def _callable_text(self, thing, name):
        if type(thing) is types.FunctionType:
            return _where_is(thing.__code__)
        if type(thing) is types.MethodType:
            inner = thing.__func__
            return "method " + (_where_is(inner.__code__) if type(inner) is types.FunctionType else name)
        if type(thing) is _lru:
            inner = thing.__dict__.get("__wrapped__")
            return "cache of " + (_where_is(inner.__code__) if type(inner) is types.FunctionType else "a function")
        if type(thing) is types.TracebackType:
            return "traceback of " + _where_is(thing.tb_frame.f_code, thing.tb_lineno)
        return ""

    def _tensor_rows(self, places):
        """Fills TENS and STOR; returns each tensor's flags."""
        facts, flags, order, own, impl = self.facts, {}, {}, {}, collections.Counter()
        table = self.rows["TENS"]
        for place, (device, key, data, size) in places.items():
            row = order.setdefault(key, (len(order), device, data, size))[0]
            thing = self.hold[place]
            if self.kind(type(thing)) == STORAGE:
                own[key] = self.number[place]
                continue
            impl[key] += max(facts.owners(facts.cdata(thing)), 0)
            flags[place], dtype, shape, node = self._tensor_facts(thing)
            self.texts[id(thing)] = f"{_type_name(type(thing)).rpartition('.')[2]} {shape} {dtype}".strip()
            table.extend((self.number[place], row, self.text(dtype), self.text(shape), self.text(node)))
        for key, (_, device, data, size) in order.items():
            self.storages += struct.pack("<iiQQQii", own.get(key, -1), device, key, data, size, impl[key] if facts.counts else -1, facts.owners(key))
        return flags

    def _tensor_facts(self, tensor):
        facts, bits, dtype, shape, name = self.facts, 0, "", "", ""
        if _descends(type(tensor), facts.parameter):
            bits |= PARAMETER
        if facts.is_wrapper(type(tensor)):
            return bits, dtype, shape, name
        try:
            dtype = str(facts.dtype(tensor)).rpartition(".")[2]
            shape = "[" + ", ".join(["?" if n is None else str(n) for n in self._shape_of(tensor)[:12]]) + "]"
            if facts.requires_grad(tensor):
                bits |= REQUIRES_GRAD
            if self.graph != "skipped":
                node = facts.grad_fn(tensor)
                if node is not None:
                    bits |= HAS_GRAD_FN
                    name = type(node).__name__
        except Exception as error:
            self._trouble("a tensor", error)
        return bits, dtype, shape, name

    # -- edges

    def _write_edges(self):
        self._fix_cells()
        self._name_edges(self.nodes)
        self._known_edges()
        self._mark_buffers()

    def _name_edges(self, places):
        late = []
        for place in places:
            kind = self.kind(type(self.hold[place]))
            if kind in (DICT, TUPLE):
                late.append(place)  # their labels depend on whose they are
            elif kind == CLASS or not (place in self.made or place in self.roots and not _OLD_FRAMES):
                self._edges_of(place, self.hold[place], kind)
        for place in late:
            self._edges_of(place, self.hold[place], self.kind(type(self.hold[place])))

    def _fix_cells(self):
        """A frame holds the cell of a variable that it shares with a closure, not the value."""
        contents = {}
        for place in self.nodes:
            if self.kind(type(self.hold[place])) == CELL:
                try:
                    contents.setdefault(id(self.hold[place].cell_contents), []).append(place)
                except ValueError:
                    pass
        for frame, name, value in self.cells_of_frames:
            cells = contents.get(value)
            leads = self.up.get(value)
            if cells and leads and frame in self.inside and (frame, name, LOCAL) in leads:
                leads.remove((frame, name, LOCAL))
                self.lead(frame, self.hold[cells[0]], name, LOCAL)

    def _known_edges(self):
        for child, leads in self.up.items():
            place = self.index.get(child)
            if place is None:
                continue
            for parent, label, kind in leads:
                if parent in self.number:
                    self.edge(parent, place, label, kind)

    def edge(self, parent, child, label, kind):
        if child in self.roots:
            return
        if kind in (STRING_KEY, ATTRIBUTE) and len(label) > KEY_CHARACTERS:
            label = _cut(label)
        self.rows["EDGE"].extend((self.number[parent], self.number[child], self.text(label), kind))

    def _edges_of(self, place, thing, kind):
        """The collector's references of one object, each with the best name that its type allows."""
        index, rest = self.index, collections.Counter()
        for child in gc.get_referents(thing):
            if id(child) in index:
                rest[id(child)] += 1
        if not rest:
            return
        for child in [child for child in rest if any(lead[0] == place for lead in self.up.get(child, ()))]:
            rest[child] -= sum(lead[0] == place for lead in self.up[child])
        try:
            for child, label, sort in self._labels(place, thing, kind, rest):
                if rest[child] > 0:
                    rest[child] -= 1
                    self.edge(place, index[child], label, sort)
        except Exception as error:
            self._trouble(f"the parts of a {_type_name(type(thing))}", error)
        for child, number in rest.items():
            for _ in range(max(number, 0)):
                self.edge(place, index[child], *self._nameless(kind, child))

    def _nameless(self, kind, child):
        name = self.context_names.get(child)
        if kind == LOCAL_STATE and name:
            return name, ATTRIBUTE
        if kind in (RUNNING, FINISHED) and _OLD_FRAMES:
            return "a value in use", UNKNOWN
        return ("an element", UNKNOWN) if kind in (SET, CONTAINER) else ("", UNKNOWN)

    def _labels(self, place, thing, kind, rest):
        exact = type(thing)
        if kind == DICT:
            yield from self._dict_labels(thing, rest)
        elif kind in (LIST, TUPLE):
            yield from self._sequence_labels(thing, kind, rest)
        elif kind == CONTAINER and _descends(exact, collections.deque):
            for number, value in enumerate(collections.deque.__iter__(thing)):
                if id(value) in rest:
                    yield id(value), str(number), INDEX
        elif kind == CELL:
            yield id(thing.cell_contents), "cell_contents", INTERNAL
        elif exact is types.FunctionType:
            yield from self._function_labels(thing)
        elif kind == CLASS:
            for names in gc.get_referents(_class_dict(thing)):
                self.attribute_dicts.add(id(names))
                yield id(names), "__dict__", INTERNAL
        elif exact is types.FrameType or kind == SUSPENDED:
            yield from self._frame_labels(thing)
        if id(exact) not in _plain_containers and kind != CLASS:
            yield from self._instance_labels(thing, rest)

    def _dict_labels(self, thing, rest):
        attribute = id(thing) in self.attribute_dicts or id(thing) in self.modules
        for key, value in dict.items(thing):
            if id(value) in rest:
                if type(key) is str:
                    yield (id(value), _cut(key) if attribute else _key_text(key), ATTRIBUTE if attribute else STRING_KEY)
                else:
                    yield id(value), _key_text(key), OTHER_KEY
            if id(key) in rest:
                yield id(key), "a key", OTHER_KEY

    def _sequence_labels(self, thing, kind, rest):
        names = self.tuple_labels.get(id(thing))
        for number, value in enumerate((list if kind == LIST else tuple).__iter__(thing)):
            if id(value) in rest:
                if names and number < len(names[0]):
                    yield id(value), names[0][number], names[1]
                else:
                    yield id(value), str(number), INDEX

    def _function_labels(self, function):
        code = function.__code__
        closure, defaults, by_name = function.__closure__, function.__defaults__, function.__kwdefaults__
        if closure:
            self.tuple_labels[id(closure)] = (code.co_freevars, CLOSURE)
            yield id(closure), "__closure__", INTERNAL
        if defaults:
            names = code.co_varnames[:code.co_argcount]
            self.tuple_labels[id(defaults)] = (names[len(names) - len(defaults):], DEFAULT)
            yield id(defaults), "__defaults__", INTERNAL
        if by_name:
            yield id(by_name), "__kwdefaults__", INTERNAL
        names = function.__dict__
        self.attribute_dicts.add(id(names))
        yield id(names), "__dict__", INTERNAL

    def _frame_labels(self, thing):
        frame = thing if type(thing) is types.FrameType else self._frame_of(thing)
        if type(thing) is not types.FrameType:
            for name in ("gi_yieldfrom", "cr_await", "ag_await"):
                awaited = getattr(thing, name, None)
                if awaited is not None:
                    yield id(awaited), name, INTERNAL
            if frame is not None:
                yield id(frame), "frame", INTERNAL
        if frame is not None:
            for name, value in _locals_of(frame):
                yield id(value), name, LOCAL

    def _instance_labels(self, thing, rest):
        """Attributes: slots by their descriptors, the others by the instance's dict."""
        before = gc.get_referents(thing)  # Python 3.11 makes the dict when it is asked for, out of values that the instance holds itself
        names = self._own_dict(thing)
        if names is not None and any(names is child for child in before):
            self.attribute_dicts.add(id(names))
            if id(names) in rest:
                yield id(names), "__dict__", INTERNAL
            for value in dict.values(names):  # Python 3.13 shows the values of such a dict twice, though they are referred to once
                if id(value) in rest:
                    rest[id(value)] = 0
        elif names is not None:
            for key, value in dict.items(names):
                if id(value) in rest:
                    yield id(value), _key_text(key), ATTRIBUTE
        for c in _mro(type(thing)):
            for name, descriptor in _class_dict(c).items():
                if type(descriptor) is _member or type(descriptor) is _getset and id(c) in _plain_ids:
                    try:
                        value = descriptor.__get__(thing)
                    except Exception as error:
                        _pass_on(error)
                        continue
                    if id(value) in rest:
                        yield id(value), name, ATTRIBUTE

    @staticmethod
    def _own_dict(thing):
        for c in _mro(type(thing)):
            descriptor = _class_dict(c).get("__dict__")
            if type(descriptor) is _getset:
                try:
                    names = descriptor.__get__(thing)
                except Exception as error:
                    _pass_on(error)
                    return None
                return names if type(names) is dict else None
        return None

    def _mark_buffers(self):
        """A buffer is what a module's _buffers holds."""
        edges, nodes = self.rows["EDGE"], self.rows["NODE"]
        buffers = self.strings.get("_buffers")
        dicts = {edges[i + 1] for i in range(0, len(edges), 4) if edges[i + 2] == buffers and edges[i + 3] == ATTRIBUTE} if buffers else ()
        for i in range(0, len(edges), 4):
            if edges[i] in dicts and nodes[edges[i + 1] * 6 + 2] == TENSOR:
                nodes[edges[i + 1] * 6 + 5] |= BUFFER

    # -- bytes

    def header(self):
        facts = self.facts
        return {"schema": "leakline.holders/1", "probe": VERSION, "python": "%d.%d.%d" % sys.version_info[:3],
                "torch": facts.version if facts else None, "pid": os.getpid(), "started_us": _began_us(), "time_us": int(time.time() * 1e6),
                "pause_ms": self.pause_ms, "argv0": _argv0(), "rank": _rank(), "step": self.step, "reason": self.reason,
                "inherited": _inherited(), "objects": self.objects, "frozen": self.frozen, "gc": _meter.header(), "graph": self.graph,
                "graph_reason": self.graph_reason, "notes": [_cut(note, 300) for note in self.notes[:50]], "threads": self.threads, "sample": self.sample}

    def encode(self):
        """All bytes of the file."""
        texts = [text.encode("utf-8", "replace") for text in self.strings]
        packed = struct.pack("<I", len(texts)) + b"".join([struct.pack("<I", len(text)) + text for text in texts])
        head = json.dumps(self.header()).encode("utf-8", "replace")
        sections = [(b"STRS", packed)]
        for tag, content in ((b"NODE", self.rows["NODE"]), (b"TENS", self.rows["TENS"]), (b"STOR", bytes(self.storages)), (b"EDGE", self.rows["EDGE"])):
            sections.append((tag, content if type(content) is bytes else _little(content)))
        sections.append((b"DONE", b""))
        parts = [MAGIC, struct.pack("<I", len(head)), head]
        for tag, payload in sections:
            parts += [tag, struct.pack("<Q", len(payload)), payload, struct.pack("<I", zlib.crc32(payload))]
        return b"".join(parts)


def _bytes_of(places):
    """Bytes of all storages, each once."""
    return sum({key: size for _, key, _, size in places.values()}.values())


def _keep_sample(places, number):
    """Keeps so many, the first of each kind first; kinds are sizes, and those that hold most come first."""
    kinds = collections.Counter()
    for _, _, _, size in places.values():
        kinds[size] += size
    seen, ranked = collections.Counter(), []
    for place, (_, _, _, size) in places.items():
        seen[size] += 1
        ranked.append((seen[size], -kinds[size], place))
    ranked.sort()
    for _, _, place in ranked[number:]:
        del places[place]


def _is_own(thing):
    """Frames of this file, which refer to what they look at."""
    return type(thing) is types.FrameType and thing.f_code.co_filename == __file__


def _little(numbers):
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers.tobytes()


def _argv0():
    """The base name of what runs. sys.argv is not there yet when a site is set up."""
    argv = getattr(sys, "argv", None) or []
    name = argv[0] if argv else ""
    if name in ("", "-c", "-m"):
        original = getattr(sys, "orig_argv", None) or ["python"]
        scripts = [word for word in original[1:] if word.endswith(".py")]
        name = scripts[0] if scripts else original[original.index("-m") + 1] if "-m" in original[:-1] else "python"
    return os.path.basename(str(name)) or "python"


def _rank():
    text = os.environ.get("RANK", "")
    return int(text) if text.isdigit() else None


def _inherited():
    """True in a forked child that sees the tensors of its parent, whose memory is not its own."""
    if not _forked:
        return False
    try:
        return _target() == "cpu" or sys.modules["torch"].cuda._is_in_bad_fork()
    except Exception as error:
        _pass_on(error)
        return True


def _target():
    return os.environ.get("LEAKLINE_PROBE_TARGET") or os.environ.get("LEAKLINE_TARGET") or "cuda"


@_entry
def dump(path=None, reason="request", target=None, graph=True):
    """Writes a holder dump and returns its path, or None where that was not possible (last_error says why). Never raises, never collects.

    graph=False leaves autograd's graph alone: for whoever enters a thread that waits in C, maybe in the middle of a backward pass.
    """
    global _busy
    if _busy:
        return None
    _busy = True
    try:
        made = Dump(reason, target or _target(), _counters.steps, graph)
        made.run()
        if reason == "exit" and not made.storages and not sys.modules["torch"].cuda.is_initialized():
            return None  # a launcher or a loader's worker, which has nothing on a device and never had
        return _write(path or _output("holders"), made.encode())
    finally:
        _busy = False


def _write(path, content):
    """All or nothing: to PATH.tmp, then renamed; readable by its owner only."""
    part = os.fspath(path) + ".tmp"
    try:
        with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            file.write(content)
        os.replace(part, path)
        return os.fspath(path)
    except OSError as error:
        _note_error(error)
        try:
            os.unlink(part)
        except OSError:
            pass
        return None


# ------------------------------------------------------------------------------------- garbage: why tensors had to wait for the collector

LOOPS, LOOP_NODES = 16, 24  # that are spelled of one collection, those that lead to most bytes, and of each
CHUNK = 20_000  # objects between two looks at the clock


class _OutOfTime(Exception):
    """The look takes longer than it may."""


class _Garbage(Dump):
    """What a collection that is about to begin will find: the wanted tensors among it, and the loops that kept them from being freed at once.

    Nothing but other garbage refers to garbage. So from the tensors upwards, level by level, all references from the objects that are about to be
    collected are counted, in one pass over them: an object that has more references than were found is held by something else (an older object, a
    running function, C++) and lives, and so does all that it leads to. What is left at the end is garbage. In a young collection, all this is among
    a few hundred objects. Each garbage tensor is in a loop, or hangs from one; loops are strongly connected components.
    """

    def __init__(self, is_full, limit):
        super().__init__("collection", _target(), None, False)
        self.is_full, self.limit, self.ways = is_full, limit, {}  # the limit is of thread_time

    def look(self, objects):
        """[(signature, loop, what it leads to, tensors, bytes)], those of most bytes first; None where there was no time to say."""
        self.facts = _facts
        try:
            with self.facts.quiet():
                return self._explain(objects)
        except _OutOfTime:
            return None
        finally:
            del objects[:]
            self.let_go()

    def _explain(self, objects):
        tensors = _of_kinds(objects, {key for key, kind in _kinds_of(objects).items() if _descends(kind, self.facts.tensor)})
        if time.thread_time() + len(tensors) * 1e-5 > self.limit:
            raise _OutOfTime
        list(map(self.take, tensors))  # a loop's variable would be a reference too many
        places = self._targets(tensors, [])
        del tensors
        if not places:
            return []
        self._find_roots([])
        if self.facts.counts:  # what C++ owns too, such as a graph's saved tensors, lives, or dies with another tensor
            places = {place: row for place, row in places.items() if self._is_pythons(place)}
        parents = self._dead(objects, places)
        return self._loops(parents, {place: row for place, row in places.items() if place in parents})

    def _is_pythons(self, place):
        return self.facts.strong(self.facts.cdata(self.hold[place])) <= 1

    # -- what is garbage

    def _dead(self, objects, places):
        """Places of garbage, with those that refer to each."""
        parents, living, front = {}, set(), list(places)
        while front:
            self._find_parents(objects, front, parents)
            living.update(self._held_by_others(front, parents))
            front = list({parent for place in front if place not in living for parent in parents[place] if parent not in parents and parent not in self.roots})
        children = {}
        for place, referring in parents.items():
            for parent in referring:
                children.setdefault(parent, []).append(place)
        stack = list(living) + [place for place in children if place not in parents]  # roots, and what it was not worth looking at
        living.update(stack)
        while stack:
            fresh = [child for child in children.get(stack.pop(), ()) if child not in living]
            living.update(fresh)
            stack += fresh
        return {place: referring for place, referring in parents.items() if place not in living}

    def _find_parents(self, objects, front, parents):
        """Notes for each place of the front who refers to it, once for each reference."""
        ids = {}
        for place in front:
            ids[id(self.hold[place])] = place
            parents[place] = []
        for thing in self._referring(objects, front, set(ids).isdisjoint):
            if not _is_own(thing):
                place = self.take(thing)
                if self._is_root(thing):
                    self.roots.add(place)
                for child in gc.get_referents(thing):
                    if id(child) in ids:
                        parents[ids[id(child)]].append(place)

    def _referring(self, objects, front, apart):
        """All that refers to the front, but for what is ours: as Dump._parents finds it, with an eye on the clock."""
        ours = {id(self.hold), id(objects)}
        if self.is_full and len(front) < SMALL_FRONT:
            wanted = tuple([self.hold[place] for place in front])
            ours.add(id(wanted))
            yield from [thing for thing in gc.get_referrers(*wanted) if id(thing) not in ours]
            return
        referents = gc.get_referents
        for start in range(0, len(objects), CHUNK):
            if time.thread_time() > self.limit:
                raise _OutOfTime
            yield from [thing for thing in objects[start:start + CHUNK] if not apart(map(id, referents(thing))) and id(thing) not in ours]

    def _held_by_others(self, front, parents):
        """Those with more references than were found. Ours are in hold, in objects and in the list that is counted, like those of the sample."""
        sample = object()
        kept, counted = ([sample], [sample]), [self.hold[place] for place in front] + [sample]
        del sample
        counts = list(map(sys.getrefcount, counted))
        del kept
        own = counts.pop()
        return [place for place, count in zip(front, counts) if count - own > len(parents[place])]

    # -- loops

    def _loops(self, parents, places):
        children = {}
        for place, referring in parents.items():
            for parent in set(referring):
                children.setdefault(parent, []).append(place)
        loops, found = _loops_of(children), {}
        for place, (_, key, _, size) in places.items():
            way = self._climb(place, parents, loops)
            if way is not None:
                first, storages = found.setdefault(loops[way[0]], (way, {}))
                storages.setdefault(key, [size, 0])[1] += 1
        sums = [[sum(column) for column in zip(*storages.values())] + [way] for way, storages in found.values()]
        merged = {}
        for size, tensors, way in sorted(sums, reverse=True)[:LOOPS]:
            signature, *words = self._words(_around(way[0], children, loops), way)
            row = merged.setdefault(signature, words + [0, 0])
            row[-2:] = row[-2] + tensors, row[-1] + size
        return [(signature, *row) for signature, row in merged.items()]

    def _climb(self, place, parents, loops):
        """The shortest way to a tensor from a loop: places."""
        back, queue = {place: None}, collections.deque([place])
        while queue:
            here = queue.popleft()
            if here in loops:
                way = [self._owner(here, parents, loops)]
                while here is not None:
                    way += [here] if here != way[-1] else []
                    here = back[here]
                return way
            for parent in parents[here]:
                if parent not in back:
                    back[parent] = here
                    queue.append(parent)
        return None

    def _owner(self, place, parents, loops):
        """The object whose dict this is, or the place itself."""
        if self.kind(type(self.hold[place])) == DICT:
            for parent in parents[place]:
                if loops.get(parent) == loops[place] and self.kind(type(self.hold[parent])) in (OBJECT, NN_MODULE, OPTIMIZER):
                    return parent
        return place

    # -- words

    def _words(self, loop, way):
        """The signature of a loop, how it goes, and the way from it to the tensor."""
        if time.thread_time() > self.limit:
            raise _OutOfTime
        chain = set(loop[:LOOP_NODES + 1] + way[:LOOP_NODES + 1])
        self.index = {id(self.hold[place]): place for place in chain}
        self._name_edges(sorted(chain))
        if len(loop) <= LOOP_NODES:
            loop = min([loop[first:-1] + loop[:first + 1] for first in range(len(loop) - 1)], key=self._rank)
        signed = " -> ".join(dict.fromkeys(self._spell(loop, False).split(" -> ")))  # a chain of equal links is one bug, however long
        return hashlib.sha1(signed.encode("utf-8", "replace")).hexdigest()[:12], self._spell(loop), self._spell(way)

    def _rank(self, loop):
        """Loops begin where people would begin: at an object with a class of its own. The same loop always begins at the same place."""
        kind = self.kind(type(self.hold[loop[0]]))
        return kind in _GLUE, kind not in (OBJECT, NN_MODULE, OPTIMIZER), self._spell(loop, False)

    def edge(self, parent, child, label, kind):
        self.ways.setdefault((parent, child), (label, kind))

    def _short(self, place, exactly=True):
        """What stands for an object; not exactly: without what differs from one run to the next."""
        thing = self.hold[place]
        kind, name = self.kind(type(thing)), self._type_text(thing)
        if kind == TENSOR:
            _, dtype, shape, _ = self._tensor_facts(thing)
            return f"{name.rpartition('.')[2]} {shape} {dtype}" if exactly else "Tensor"
        text = "" if kind in _GLUE else self._text_of(thing, kind)[0]
        text = text if exactly else text.partition(" (")[0]
        name = name[9:] if name.startswith("__main__.") else name
        return f"function {text}" if type(thing) is types.FunctionType else text or name

    def _spell(self, way, exactly=True):
        """Trainer.hooks[*] -> function on_end (train.py:12) closure self -> Trainer"""
        text = self._short(way[0], exactly)
        for number, (place, following) in enumerate(zip(way, way[1:])):
            if number == LOOP_NODES:
                return text + f" -> {len(way) - number if exactly else 'many'} more"
            label, kind = self.ways.get((place, following), ("", UNKNOWN))
            text += _SPELLED.get(kind, " ...").format(label)
            if following == way[-1] or self.kind(type(self.hold[following])) not in _GLUE:
                text += " -> " + self._short(following, exactly)
        return _cut(text, 600)


_GLUE = (DICT, LIST, TUPLE, SET, CELL)  # whose names say less than their keys
# Indices, and keys that are not text, differ from one object to the next.
_SPELLED = {ATTRIBUTE: ".{}", STRING_KEY: "['{}']", OTHER_KEY: "[*]", INDEX: "[*]", LOCAL: " local {}", CLOSURE: " closure {}", DEFAULT: " default {}",
            INTERNAL: ""}


def _loops_of(children):
    """The number of the loop for each node that is in one: Tarjan's strongly connected components, without recursion."""
    order, low, path, loops = {}, {}, [], {}
    for root in children:
        stack = [(root, iter(children[root]))] if root not in order else []
        if stack:
            order[root] = low[root] = len(order)
            path.append(root)
        while stack:
            node, rest = stack[-1]
            for child in rest:
                if child not in order:
                    order[child] = low[child] = len(order)
                    path.append(child)
                    stack.append((child, iter(children.get(child, ()))))
                    break
                if child in low:
                    low[node] = min(low[node], order[child])
            else:
                stack.pop()
                if stack:
                    low[stack[-1][0]] = min(low[stack[-1][0]], low[node])
                if low[node] == order[node]:
                    members = []
                    while not members or members[-1] != node:
                        members.append(path.pop())
                        del low[members[-1]]
                    if len(members) > 1 or node in children.get(node, ()):
                        loops.update(dict.fromkeys(members, order[node]))
    return loops


def _around(start, children, loops):
    """The shortest way from a node of a loop back to it."""
    back, queue = {}, collections.deque([start])
    while True:
        here = queue.popleft()
        for child in children.get(here, ()):
            if child == start:
                way = [start, here]
                while here != start:
                    here = back[here]
                    way.append(here)
                return way[::-1]
            if child not in back and loops.get(child) == loops[start]:
                back[child] = here
                queue.append(child)


# ---------------------------------------------------------------------------------------------- counters: steps, phases, epochs, collections

COUNTER_BYTES = 8 << 20  # of rows; those about functions are written once more at the exit, also above this
STEP_ROWS, OTHER_ROWS = 4096, 512  # then every second is written, then every fourth ...: a million steps are 4 MB
FREE_LOOKS, LOOK_SHARE = 512, 0.01  # steps that are all looked at; then as many as take this share of the time: 50 us, every 5 ms
LOADERS = 64  # whose epochs are counted
FIGURES = "device", "allocated_bytes.all.current", "reserved_bytes.all.current", "allocated_bytes.all.peak", "reserved_bytes.all.peak"


class _Thin:
    """Lets all through at first, from the given number on every second, then every fourth ..."""

    def __init__(self, rows):
        self.rows, self.seen, self.let, self.every = rows, 0, 0, 1

    def lets(self):
        self.seen += 1
        if self.seen % self.every:
            return False
        self.let += 1
        if self.let % self.rows == 0:
            self.every *= 2
        return True


class _Counters:
    """What happened when, with the allocator's counters of that moment: NAME-PID.counters.jsonl, one JSON object a line, which `leakline report` reads.

    All have "time_us", and "phase" within one. A step has a row for each device, with figures named as in torch.cuda.memory_stats(); most others have
    "devices": rows of device, allocated, reserved, the most allocated, the most reserved.
        {"step": 7, "device": 0, ...}          the seventh step has ended, when an optimizer steps that already stepped in it
        {"begins": "validate"}, {"ends": ...}  a phase
        {"epoch": 2, "loader": 0}              the first DataLoader of the job begins to be iterated for the second time
        {"gc": 2, "freed": ...}                a collection gave back device memory, see _Meter
        {"function_name": "train", ...}        a call that was profiled, see _Function
        {"cut": true}                          no more rows than these were written
    """

    def __init__(self):
        self.steps, self.explicit, self.begun, self.stepped, self.phases, self.loaders = None, False, set(), set(), [], []
        self.held = None  # what was allocated when the last step ended, where that was looked at
        self.looks, self.next_look = 0, 0.0
        self.batch_steps = None  # how many steps had ended at the last batch
        self.records, self.written, self.flushed, self.is_full, self.is_broken = [], 0, 0.0, False, False
        self.thin_steps, self.thin_phases, self.thin_epochs = _Thin(STEP_ROWS), _Thin(OTHER_ROWS), _Thin(OTHER_ROWS)

    def optimizer_begins(self, optimizer):
        self.begun.add(id(optimizer))

    def optimizer_ends(self, optimizer):
        """True where a step of the job has ended. A step() that calls its base's step() ends twice, and is one."""
        if self.explicit or id(optimizer) not in self.begun:
            return False
        self.begun.discard(id(optimizer))
        if self.stepped and id(optimizer) not in self.stepped:
            self.stepped.add(id(optimizer))
            return False
        self.stepped = {id(optimizer)}
        self.advance()
        return True

    def advance(self):
        self.steps = (self.steps or 0) + 1
        self.held = None
        if (self.looks < FREE_LOOKS or time.perf_counter() >= self.next_look) and self.thin_steps.lets():
            begin = time.thread_time()
            rows = self.figures()
            self.held = sum([row[1] for row in rows])
            for figures in rows or [()]:
                self.write(dict({"step": self.steps}, **dict(zip(FIGURES, figures))))
            self.looks, self.next_look = self.looks + 1, time.perf_counter() + (time.thread_time() - begin) / LOOK_SHARE

    def has_stepped(self):
        """Whether a step has ended since the last batch."""
        steps, self.batch_steps = self.batch_steps, self.steps
        return steps != self.steps

    def epoch(self, loader):
        for number, (known, epochs) in enumerate(self.loaders):
            if known() is loader:
                break
        else:
            number = len(self.loaders)
            if number == LOADERS:
                return
            self.loaders.append((weakref.ref(loader), [0]))
            epochs = self.loaders[-1][1]
        epochs[0] += 1
        if self.thin_epochs.lets():
            self.row({"epoch": epochs[0], "loader": number})

    @staticmethod
    def figures():
        return _functions.unfolded(_allocator_rows())

    def row(self, record):
        figures = self.figures()
        if figures:
            record["devices"] = figures
        self.write(record)

    def write(self, record):
        if self.is_full or _plan is None:
            return
        record["time_us"] = int(time.time() * 1e6)
        if self.phases:
            record["phase"] = self.phases[-1]
        self.records.append(record)  # spelled later and many at once: between the steps of a job, all that spelling needs has left the caches
        now = time.monotonic()
        if now - self.flushed > 1:  # a kill -9 loses a second
            self.flushed = now
            self.flush()

    def flush(self):
        records, self.records = self.records, []
        content = _lines(records)
        self.written += len(content)
        if self.written > COUNTER_BYTES and not self.is_full:
            self.is_full, content = True, b'{"cut": true}\n'
        self.append(content)

    def append(self, content):
        """Whole lines, in one write where the system allows it; after one that failed, which may have cut a line, there are no more."""
        if not content or _plan is None or self.is_broken:
            return
        try:
            file = os.open(_output("counters.jsonl"), os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
            try:
                while content:
                    content = content[os.write(file, content):]
            finally:
                os.close(file)
        except OSError as error:
            self.is_full = self.is_broken = True
            _note_error(error)

    def end(self):
        self.flush()
        self.append(_lines(_functions.unwritten()))


def _lines(records):
    return "".join([json.dumps(record) + "\n" for record in records]).encode("utf-8", "replace")


def _raw_counters():
    """torch's own counters of every device that this process uses. 20 us a device."""
    try:
        torch = sys.modules.get("torch")
        if torch is None or not torch.cuda.is_initialized() or torch.cuda._is_in_bad_fork():
            return []
        return [(device, torch._C._cuda_memoryStats(device)) for device in range(torch.cuda.device_count())]
    except Exception as error:  # half imported, torn down, no CUDA in this build
        _pass_on(error)
        return []


def _allocator_rows():
    """[device, allocated, reserved, peak allocated, peak reserved] of every device that this process uses."""
    kinds = ("allocated_bytes", "current"), ("reserved_bytes", "current"), ("allocated_bytes", "peak"), ("reserved_bytes", "peak")
    return [[device] + [stats[name]["all"][moment] for name, moment in kinds] for device, stats in _raw_counters() if stats["reserved_bytes"]["all"]["peak"]]


def _reset_peak(device):
    sys.modules["torch"]._C._cuda_resetPeakMemoryStats(device)


@_entry
def step():
    """Marks the end of a step; steps are no longer found from optimizers."""
    _counters.explicit = True
    _counters.advance()
    if _plan is not None:
        _plan.stepped()


class phase:
    """with leakline_probe.phase("validate"): ...   Marks where a phase begins and ends."""

    def __init__(self, name):
        self.name, self.is_written = str(name)[:KEY_CHARACTERS], False

    def __enter__(self):
        self._begin()

    def __exit__(self, *_):
        self._end()
        return False

    @_entry
    def _begin(self):
        _counters.phases.append(self.name)
        self.is_written = _counters.thin_phases.lets()
        if self.is_written:
            _counters.row({"begins": self.name})

    @_entry
    def _end(self):
        if self.is_written:
            _counters.row({"ends": self.name})
        if self.name in _counters.phases:
            _counters.phases.remove(self.name)


# ------------------------------------------------------------------------------------------------------- functions: what a call takes at most

FUNCTIONS = 512  # names; all others are counted as one
OPEN_SCOPES = 256  # at a time; each of them is looked at whenever one opens or ends
FUNCTION_ROWS = 64  # of each function; then every second call is written, then every fourth ...
PEAK_NEWS = 1 / 64  # a call that takes so much more than all before it is written in any case


def profile(target=None):
    """Measures what a function or a stretch of code takes: allocated before and after, the peak inside, seconds.

        @leakline_probe.profile                  with leakline_probe.profile("validate"): ...
        @leakline_probe.profile("forward")

    Scopes may nest: the peak of the outer one covers the inner ones. What a call raises goes on, and is counted with the peak that it reached. A
    coroutine or generator is measured from its first step to its end. Results are rows of the counters (see _Counters), and `leakline run` shows
    them. Unless the probe is armed, nothing is measured.

    A scope belongs to the thread that opened it, but the allocator's counters are the process's: what other threads allocate meanwhile is in its
    figures. Seconds are the program's, which may be ahead of the device. torch has one counter for the peak, which is set back whenever a scope
    opens; a job that reads torch.cuda.max_memory_allocated() itself sees the peak since then.
    """
    return _Profile(target) if target is None or type(target) is str else _Profile(None)(target)


class _Profile:
    """A name under which scopes are measured: with, or as a decorator. Each thread may be in it, and more than once: scopes are by thread."""

    def __init__(self, name):
        self.name, self.scopes = name, {}

    def __enter__(self):
        self._enter()
        return self

    def __exit__(self, kind, *_):
        self._leave(kind)
        return False

    @_entry
    def _enter(self):
        scopes = self.scopes.setdefault(threading.get_ident(), [])
        scopes.append(None)  # what is not measured ends, too
        scopes[-1] = _functions.enter(self.name or "a scope without a name")

    @_entry
    def _leave(self, error):
        scopes = self.scopes.get(threading.get_ident())
        scope = scopes.pop() if scopes else None
        if scope is not None:
            _functions.leave(scope, None if error is GeneratorExit else error)

    def __call__(self, function):
        name = self.name or getattr(function, "__qualname__", None) or type(function).__name__
        flags = getattr(getattr(function, "__code__", None), "co_flags", 0)
        if flags & _COROUTINE:
            async def profiled(*arguments, **named):
                with _Profile(name):
                    return await function(*arguments, **named)
        elif flags & _GENERATOR:
            def profiled(*arguments, **named):
                with _Profile(name):
                    return (yield from function(*arguments, **named))
        else:
            def profiled(*arguments, **named):
                with _Profile(name):
                    return function(*arguments, **named)
        return functools.wraps(function)(profiled)


class _Scope:
    """A call that runs: by device, what was allocated and reserved when it began, and the peak so far."""
    __slots__ = ("name", "begin", "started", "before", "peaks")

    def __init__(self, name):
        self.name, self.begin, self.started, self.before, self.peaks = name, 0.0, time.time(), {}, {}


class _Function:
    """All calls of one name. A row is one of them, named as in gpumemprof's profiles, and all of them so far.

    {"function_name": "train", "calls": so far, "raised": of them, "seconds": all, "longest": one,
     "most": [[device, the highest peak, the most above what was allocated before, bytes that stayed, of all calls]],
     "execution_time": seconds of this call, "memory_before": {...}, "memory_after": {...}, "memory_peak": {...} on the device where it took most, ...}
    """

    def __init__(self, name):
        self.name, self.calls, self.raised, self.seconds, self.longest, self.most = name, 0, 0, 0.0, 0.0, {}
        self.thin, self.shown, self.is_written = _Thin(FUNCTION_ROWS), 0, True

    def add(self, scope, seconds, after, error):
        """Adds a call; the row that says so, or None where it says nothing new."""
        self.calls, self.raised = self.calls + 1, self.raised + (error is not None)
        self.seconds, self.longest = self.seconds + seconds, max(self.longest, seconds)
        for device, peak in scope.peaks.items():
            before = scope.before.get(device, (0, 0))[0]
            most = self.most.setdefault(device, [0, 0, 0])
            most[:] = max(most[0], peak), max(most[1], peak - before), most[2] + after.get(device, (0, 0))[0] - before
        peak = max([most[0] for most in self.most.values()], default=0)
        self.is_written = self.thin.lets() or peak > self.shown * (1 + PEAK_NEWS)
        if not self.is_written:
            return None
        self.shown = peak
        return dict(self.row(), **self.call(scope, seconds, after, error))

    def row(self):
        return {"function_name": self.name, "calls": self.calls, "raised": self.raised, "seconds": round(self.seconds, 6),
                "longest": round(self.longest, 6), "most": [[device] + most for device, most in sorted(self.most.items())]}

    @staticmethod
    def call(scope, seconds, after, error):
        taken = {device: peak - scope.before.get(device, (0, 0))[0] for device, peak in scope.peaks.items()}
        device = max(taken, key=taken.get, default=0)
        first, last, peak = scope.before.get(device, (0, 0)), after.get(device, (0, 0)), scope.peaks.get(device, 0)
        moments = (scope.started, first), (scope.started + seconds, last), (scope.started + seconds, (peak, last[1]))
        found = {"execution_time": round(seconds, 6), "memory_allocated": max(last[0] - first[0], 0), "memory_freed": max(first[0] - last[0], 0)}
        for name, (moment, (allocated, reserved)) in zip(("memory_before", "memory_after", "memory_peak"), moments):
            found[name] = {"timestamp": round(moment, 6), "allocated_memory": allocated, "reserved_memory": reserved, "device_id": device}
        found["memory_peak"]["max_memory_allocated"] = peak
        return dict(found, error=_type_name(error)) if error is not None else found


class _Functions:
    """The scopes that are open, and what was measured of those that have ended.

    torch counts one peak for each device. Whenever a scope opens, the peak so far is folded into all that are open, and then set back; when one
    ends, it is folded in again. So each has the highest of all the pieces that it lived through, whichever order they end in. Between reading and
    setting back, threads of C++ may allocate unseen, for some microseconds.
    """

    def __init__(self):
        self.lock, self.open, self.known, self.highest = threading.RLock(), [], {}, {}

    def enter(self, name):
        """A new scope; none where there are too many, or the probe is not armed."""
        if _plan is None or len(self.open) >= OPEN_SCOPES:
            return None
        scope = _Scope(name)
        with self.lock:
            for device, allocated, reserved, *peaks in self._fold():
                self.highest[device] = list(map(max, peaks, self.highest.get(device, (0, 0))))
                _reset_peak(device)
                scope.before[device], scope.peaks[device] = (allocated, reserved), allocated
            self.open.append(scope)
        scope.begin = time.perf_counter()
        return scope

    def leave(self, scope, error):
        seconds = time.perf_counter() - scope.begin
        with self.lock:
            after = {device: (allocated, reserved) for device, allocated, reserved, *_ in self._fold()}
            self.open.remove(scope)
            name = scope.name if scope.name in self.known or len(self.known) < FUNCTIONS else "(others)"
            row = self.known.setdefault(name, _Function(_cut(name, 200))).add(scope, seconds, after, error)
        if row is not None:
            _counters.write(row)

    def _fold(self):
        rows = _allocator_rows()
        for device, _, _, peak, _ in rows:
            for scope in self.open:
                scope.peaks[device] = max(scope.peaks.get(device, 0), peak)
        return rows

    def unfolded(self, rows):
        """The same rows with the peaks of the whole job, as though nothing had set them back."""
        for row in rows:
            peaks = self.highest.get(row[0], (0, 0))
            row[3:] = map(max, row[3:], peaks)
        return rows

    def unwritten(self):
        return [function.row() for function in list(self.known.values()) if not function.is_written]


# ------------------------------------------------------------------------------------------------------ the collector: what it frees, and why

METER_CREDIT, METER_SHARE = 0.5, 0.005  # seconds that looking may take: at once, and then of each second
LONGEST_LOOK = 2.0  # seconds; a heap that takes longer stays unexplained
LOOKS = 20  # collections that are looked into after one that freed something
CYCLES = 64  # signatures that are kept


class _Meter:
    """Watches the cyclic collector: a row for each collection that gives back device memory.

    {"gc": generation, "collected": objects, "freed": bytes, "blocks": of the allocator, "freed_so_far": bytes, "runs_so_far": collections,
     "cycles": [[signature, tensors, bytes]],
     "explained": [{"signature", "cycle": "Trainer.hooks[*] -> function on_end (train.py:12) closure self -> Trainer", "leads_to": ...}]}

    The device's counters are read before and after: around full collections always, around young ones as long as METER_SHARE allows. Why the memory
    had to wait for the collector must be looked at before it begins, since afterwards nothing is left to look at: see _Garbage. So the first
    collection that frees something makes the next ones of its kind, full or young, worth a look, within the same share; a job without such
    collections pays nothing. What is found counts only if the collection then does free something. Each kind of cycle is spelled once.
    """

    every = (3, 14) <= sys.version_info[:3] < (3, 14, 5)  # which collect in increments

    def __init__(self):
        self.freed = self.runs = self.unseen = self.blocks = 0
        self.begin, self.spent, self.needs, self.looks = time.perf_counter(), 0.0, [0.0, 0.0], [0, 0]
        self.before, self.found, self.cycles, self.is_inside, self.thin = None, None, {}, False, _Thin(OTHER_ROWS)

    def __call__(self, stage, information):
        begin, self.is_inside = time.thread_time(), True
        try:
            if stage == "start":
                self.begins(information["generation"])
            else:
                self.ends(information)
        except BaseException as error:  # what is raised here, Python only prints
            if _is_of_the_job(error):
                _Later(functools.partial(_throw, error))
            else:
                _note_error(error)
        self.spent += time.thread_time() - begin
        self.is_inside = stage == "start"

    def left(self):
        return METER_CREDIT + METER_SHARE * (time.perf_counter() - self.begin) - self.spent

    def begins(self, generation):
        self.before = self.found = None
        self.is_full = generation == 2 or self.every
        if not self.is_full and self.left() <= 0:
            self.unseen += 1
            return
        self.before = _held()
        if self.looks[self.is_full] > 0:
            self.found = self.look(generation)

    def look(self, generation):
        """What the collection will find. If there is too little time, it is tried again when twice of that has been saved up."""
        needs, left = self.needs[self.is_full], self.left()
        if left < needs or needs > LONGEST_LOOK or _facts is None:
            return None
        self.looks[self.is_full] -= 1
        begin = time.thread_time()
        objects = gc.get_objects() if self.is_full else [thing for young in range(generation + 1) for thing in gc.get_objects(generation=young)]
        found = _Garbage(self.is_full, begin + min(left, LONGEST_LOOK)).look(objects)
        self.needs[self.is_full] = (time.thread_time() - begin) * (2 if found is None else 1.2)
        return found

    def ends(self, information):
        if _plan is not None and _plan.due():
            _plan.soon("interval")
        if self.before is None:
            return
        held, found = _held() if information["collected"] else self.before, self.found or []
        if _plan is not None and not _plan.has_loop and _plan.grows(held[0]):
            _plan.soon("growth")
        freed, blocks = self.before[0] - held[0], self.before[1] - held[1]
        if freed <= 0:
            return
        self.looks[self.is_full] = LOOKS
        self.freed, self.runs, self.blocks = self.freed + freed, self.runs + 1, self.blocks + blocks
        new = [self.count(*row) for row in found]
        explained = [spelled for spelled in new if spelled]
        if explained or self.thin.lets():
            record = {"gc": information["generation"], "collected": information["collected"], "freed": freed, "blocks": blocks,
                      "freed_so_far": self.freed, "runs_so_far": self.runs}
            if self.found is not None:
                record["cycles"] = [[row[0], row[3], row[4]] for row in found]
            if explained:
                record["explained"] = explained
            _counters.row(record)

    def count(self, signature, cycle, leads_to, tensors, size):
        """Adds to what is known of a cycle; what to say of it, the first time."""
        known = self.cycles.get(signature)
        if known is not None:
            known["runs"], known["tensors"], known["bytes"] = known["runs"] + 1, known["tensors"] + tensors, known["bytes"] + size
            return None
        if len(self.cycles) == CYCLES:
            return None
        spelled = {"signature": signature, "cycle": cycle, "leads_to": leads_to}
        self.cycles[signature] = dict(spelled, runs=1, tensors=tensors, bytes=size)
        return spelled

    def header(self):
        return {"collections": [s["collections"] for s in gc.get_stats()], "gpu_bytes_freed": self.freed, "gpu_blocks_freed": self.blocks,
                "runs_that_freed": self.runs, "runs_unseen": self.unseen, "cycles": list(self.cycles.values())}


def _held():
    """Bytes and blocks that the job has from the allocator of devices."""
    counters = [stats for _, stats in _raw_counters()]
    return sum([stats["allocated_bytes"]["all"]["current"] for stats in counters]), sum([stats["allocation"]["all"]["current"] for stats in counters])


# ------------------------------------------------------------------------------------------------------------------------------ outputs

WINDOW, FLOORS, RISES = 4, 8, 6  # samples that have a floor; floors that are compared; how many must be above the one before. At random: once in 160
DUMP_CREDIT, DUMP_SHARE = 2.0, 0.05  # seconds that dumps of what grows may take: at first, and then of each second since the last; history takes more
DUMP_SPACE = 1.5  # as many samples more until the next one at first
DUMP_OBJECT = 1e-6  # seconds that a dump takes for each object of the heap, as long as none has been made


class _Growth:
    """Notices that what the job keeps grows, and makes dumps while it is there: at the exit, all that functions kept is gone.

    A sample is what is allocated when a step ends; where none does, when a DataLoader is asked for a batch; in a job without either, after a
    collection. The least of a few is the floor, on which stands what each step needs for itself. It grows where most floors are above the one
    before, and the last is the highest. Windows are joined by two and by four as well, and double while the job runs: what comes in every step is
    seen soon, and what comes once in a hundred is seen too. Only jobs that grow pay.
    """

    def __init__(self):
        self.floors, self.window, self.samples, self.seen = [], WINDOW, [], 0
        self.last, self.next, self.spent, self.needs = time.monotonic(), 0, 0.0, None

    def shows(self, held):
        """Takes a sample; whether growth shows, and a dump would not take too long."""
        self.samples.append(held)
        self.seen += 1
        if len(self.samples) < self.window:
            return False
        self.floors.append(min(self.samples))
        self.samples.clear()
        if len(self.floors) == 8 * FLOORS:
            self.floors, self.window = self.joined(2), 2 * self.window
        return any(map(self.rises, (1, 2, 4))) and self.can_pay()

    def joined(self, windows):
        """The floors of so many windows as one; the last ones, where they do not come out even."""
        first = len(self.floors) % windows
        return [min(self.floors[start:start + windows]) for start in range(first, len(self.floors), windows)]

    def rises(self, windows):
        floors = self.joined(windows)[-FLOORS:]
        return len(floors) == FLOORS and sum(map(operator.lt, floors, floors[1:])) >= RISES and floors[-1] > max(floors[:-1])

    def can_pay(self):
        if self.needs is None:
            self.needs = len(gc.get_objects()) * DUMP_OBJECT
        is_early = self.seen >= self.next and self.spent + self.needs <= DUMP_CREDIT
        return is_early or self.needs <= DUMP_SHARE * (time.monotonic() - self.last)

    def write(self):
        """Writes a dump, and keeps the one before: what of both grew is the leak."""
        begin, path = time.perf_counter(), _output("growth.holders")
        if os.path.exists(path):
            os.replace(path, _output("growth-before.holders"))
        dump(path, "growth")
        self.needs = time.perf_counter() - begin
        self.last, self.next, self.spent = time.monotonic(), self.seen * DUMP_SPACE, self.spent + self.needs


class _Plan:
    """When outputs are written: exit, oom, growth, interval:SECONDS, step:N, signal."""

    def __init__(self, out, at):
        self.out, self.interval, self.steps, self.whens, self.oom_written = out, 0.0, set(), set(), False
        self.growth, self.has_loop = _Growth(), False
        for when in at.split(","):
            name, _, value = when.strip().partition(":")
            try:
                if name == "interval":
                    self.interval = max(float(value), 1.0)
                elif name == "step":
                    self.steps.add(int(value))
                self.whens.add(name)
            except ValueError:
                _complain(f"LEAKLINE_AT has {when!r}, which is not understood")
        self.last, self.asked = time.monotonic(), ""

    def due(self):
        return self.interval and not self.asked and time.monotonic() - self.last >= self.interval

    def sampled(self, held):
        """Takes a sample of a loop that steps, or takes batches."""
        if not self.has_loop:
            self.has_loop, self.growth = True, _Growth()  # until now, samples were of collections
        if self.grows(held):
            write("growth") if _is_main_thread() else self.soon("growth")

    def grows(self, held):
        return "growth" in self.whens and not self.oom_written and held is not None and self.growth.shows(held)

    def soon(self, reason):
        """Asks for an output as soon as the collector is done."""
        if not self.asked:
            self.asked = reason
            _Later(self.write_asked)

    def write_asked(self):
        reason, self.asked = self.asked, ""
        write(reason)

    def stepped(self):
        if _counters.steps in self.steps:
            write("request")
        elif self.due() and _is_main_thread():
            write("interval")
        else:
            self.sampled(_counters.held)


@_entry
def write(reason="request"):
    """Writes the holder dump and the memory snapshot of this process. Nothing is collected between the two. Never raises."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        if _busy or _plan is None or "torch" not in sys.modules or (reason == "exit" and _plan.oom_written):
            return  # what was there when memory ran out says more than what is left at the exit
        if reason == "growth":
            _plan.growth.write()
            return
        _plan.last = time.monotonic()
        dump(_output("holders"), reason)
        snapshot(_output("pickle"))
        _plan.oom_written |= reason == "oom"
        _counters.flush()
    finally:
        if collecting:
            gc.enable()


@_entry
def snapshot(path):
    """Writes torch.cuda.memory._snapshot() as _dump_snapshot does; returns the path, or None where there is none."""
    torch = sys.modules["torch"]
    if not torch.cuda.is_initialized() or torch.cuda._is_in_bad_fork():
        return None
    return _write(path, pickle.dumps(torch.cuda.memory._snapshot()))


def _output(suffix):
    name = os.environ.get("LEAKLINE_NAME") or _argv0()
    name = "".join([c if c.isalnum() or c in "-_." else "_" for c in (name[:-3] if name.endswith(".py") else name)])
    return os.path.join(_plan.out if _plan is not None else os.environ.get("LEAKLINE_OUT") or ".", f"{name[:60]}-{os.getpid()}.{suffix}")


def _complain(text):
    try:
        sys.stderr.write(f"leakline: {text}\n")
    except Exception:
        pass


# ------------------------------------------------------------------------------------------------------------------------------- arming

_plan = None
_counters, _functions, _meter = _Counters(), _Functions(), _Meter()


@_entry
def arm(out=None, at=None):
    """Switches the probe on. Imports no torch: what needs it waits until the job has imported it, and what needs CUDA until it is used."""
    global _plan
    if _plan is not None:
        return
    out = os.path.abspath(out or os.environ.get("LEAKLINE_OUT") or "leakline-out")
    _plan = _Plan(out, at or os.environ.get("LEAKLINE_AT") or "exit,oom,growth")
    try:
        os.makedirs(out, exist_ok=True)
    except OSError as error:
        _complain(f"nothing can be written to {out}: {error.strerror}")
    os.register_at_fork(before=_before_fork, after_in_child=_after_fork)
    gc.callbacks.append(_meter)
    atexit.register(_at_exit)
    _on_signal()
    if hasattr(sys.modules.get("torch"), "cuda"):
        _on_torch()
    else:
        sys.meta_path.insert(0, _TorchWatch())


class _TorchWatch:
    """Sees the import of torch coming, and calls _on_torch when it is done."""

    def find_spec(self, name, path=None, target=None):
        if name != "torch":
            return None
        try:
            sys.meta_path.remove(self)
            spec = importlib.util.find_spec(name)
            if spec is not None and hasattr(spec.loader, "exec_module"):
                self.wrap(spec.loader)
            return spec
        except Exception as error:
            _pass_on(error)
            _note_error(error)
            return None

    @staticmethod
    def wrap(loader):
        run = loader.exec_module

        def exec_module(module):
            loader.__dict__.pop("exec_module", None)
            run(module)
            _on_torch()
        try:
            loader.exec_module = exec_module
        except AttributeError:  # a loader without room: torch is noticed at the first trigger
            pass


@_entry
def _on_torch():
    """torch has been imported."""
    atexit.unregister(_at_exit)
    atexit.register(_at_exit)  # the last to be registered runs first: before torch's own
    torch = sys.modules["torch"]
    for watch in (_watch_optimizers, _watch_loaders, _watch_errors, _watch_cuda):
        watch(torch)


@_entry
def _watch_optimizers(torch):
    """A step of any optimizer, fused and compiled ones too. Since 2.0 torch has hooks; before, it wraps the step() of each class itself."""
    module = sys.modules["torch.optim.optimizer"]
    begin, end = [getattr(module, f"register_optimizer_step_{name}_hook", None) for name in ("pre", "post")]
    if begin is not None and end is not None:
        begin(_optimizer_begins)
        end(_optimizer_ends)
        return
    wrap = torch.optim.Optimizer._hook_for_profile

    @functools.wraps(wrap)
    def _hook_for_profile(self):
        wrap(self)
        _watch_class(type(self))
    torch.optim.Optimizer._hook_for_profile = _hook_for_profile


@_entry
def _watch_class(kind):
    step = kind.step
    if hasattr(step, "_leakline"):
        return

    @functools.wraps(step)
    def watched(*arguments, **named):
        _optimizer_begins(*arguments[:1])
        result = step(*arguments, **named)
        _optimizer_ends(*arguments[:1])
        return result
    watched._leakline = True
    kind.step = watched


@_entry
def _optimizer_begins(optimizer, *_):
    _counters.optimizer_begins(optimizer)


@_entry
def _optimizer_ends(optimizer, *_):
    if _counters.optimizer_ends(optimizer) and _plan is not None:
        _plan.stepped()


@_entry
def _watch_loaders(torch):
    """An epoch is that a DataLoader is iterated; where nothing steps, its batches are looked at."""
    data = sys.modules["torch.utils.data"]
    _call_before(data.DataLoader, "__iter__", _epoch)
    _call_before(data.dataloader._BaseDataLoaderIter, "__next__", _batch)


def _call_before(kind, name, action):
    following = getattr(kind, name)
    if hasattr(following, "_leakline"):
        return

    @functools.wraps(following)
    def called(self):
        action(self)
        return following(self)
    called._leakline = True
    setattr(kind, name, called)


@_entry
def _epoch(loader):
    _counters.epoch(loader)


@_entry
def _batch(_):
    if _plan is not None and not _counters.has_stepped():
        _plan.sampled(_held()[0])


@_entry
def _watch_cuda(torch):
    torch.cuda._lazy_call(_on_cuda)


@_entry
def _on_cuda():
    """CUDA is being used for the first time; the allocator is there."""
    torch = sys.modules["torch"]
    _torch_ready()  # now, since the collector's callback, which needs it, is no place to make tensors
    attach = getattr(torch._C, "_cuda_attach_out_of_memory_observer", None)
    if "oom" in _plan.whens and attach is not None:
        attach(_out_of_memory)
    record_history(torch, int(os.environ.get("LEAKLINE_HISTORY") or 200_000), os.environ.get("LEAKLINE_STACKS") or "python")


def record_history(torch, entries, stacks):
    """Memory history with what this torch calls it: 1.13 takes a switch, 2.0 a switch and sizes, 2.1 and later words."""
    if entries <= 0:
        return
    memory = torch.cuda.memory
    record = memory._record_memory_history
    names = record.__code__.co_varnames
    if hasattr(memory, "_record_memory_history_impl"):
        record("all", stacks=stacks, max_entries=entries)
    elif "trace_alloc_max_entries" in names:
        record(True, trace_alloc_max_entries=entries, trace_alloc_record_context=True)
    elif "max_entries" in names:
        record("all", stacks=stacks, max_entries=entries)
    else:
        record(True)


def _out_of_memory(*_):
    if _plan is not None and not _plan.oom_written:
        write("oom")


@_entry
def _watch_errors(torch):
    """Where torch has no observer, an out-of-memory error is seen when nobody caught it; its traceback still holds the frames."""
    if "oom" not in _plan.whens or hasattr(torch._C, "_cuda_attach_out_of_memory_observer"):
        return
    following = sys.excepthook

    def excepthook(kind, error, trace):
        if kind.__name__ == "OutOfMemoryError":
            _out_of_memory()
        following(kind, error, trace)
    sys.excepthook = excepthook


@_entry
def _at_exit():
    if _plan is None:
        return
    if "exit" in _plan.whens:
        write("exit")
    _counters.end()
    _off_signal()


@_entry
def _off_signal():
    """Python gives a signal its default back while it ends, which for this one is death; an ignored one stays ignored."""
    if "signal" in _plan.whens and signal.getsignal(signal.SIGUSR2) is _asked and _is_main_thread():
        signal.signal(signal.SIGUSR2, signal.SIG_IGN)
        os.unlink(_output("ready"))


def _asked(*_):
    if _is_collecting():
        _plan.soon("request")
    else:
        write("request")


def _on_signal():
    """SIGUSR2 asks for an output, unless the job uses it. The ready file says so: without a handler the signal would kill."""
    if "signal" not in _plan.whens or not _is_main_thread() or signal.getsignal(signal.SIGUSR2) is not signal.SIG_DFL:
        return
    signal.signal(signal.SIGUSR2, _asked)
    _announce()


def _announce():
    _write(_output("ready"), json.dumps({"schema": "leakline.ready/1", "pid": os.getpid(), "signal": "SIGUSR2", "number": int(signal.SIGUSR2),
                                         "probe": VERSION, "holders": _output("holders"), "snapshot": _output("pickle")}).encode())


@_entry
def _before_fork():
    """multiprocessing forgets exit handlers in a child, but keeps this."""
    util = sys.modules.get("multiprocessing.util")
    if util is not None and not _fork_watched:
        _fork_watched.append(True)
        util.register_after_fork(_meter, lambda _: util.Finalize(None, _at_exit, exitpriority=100))


@_entry
def _after_fork():
    global _forked, _busy, _counters, _functions
    _forked, _busy = True, False
    _meter.__init__()
    step_reached, _counters, _functions = _counters.steps, _Counters(), _Functions()
    _counters.steps = step_reached
    if _plan is not None:
        _plan.oom_written, _plan.asked, _plan.growth = False, "", _Growth()
        if "signal" in _plan.whens:
            _announce()


_fork_watched = []
