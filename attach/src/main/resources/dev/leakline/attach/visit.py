# Run once in a job that leakline attach enters, by its main thread, or by a thread of its own where that waits; above this line stand FOLDER, where it writes, NAME, how its
# files begin, WALKS_GRAPH, whether autograd's graph may be walked, TARGET, which tensors are meant, TASK, what to do (dump, looks, light,
# record or finish), ENTRIES, how many events to keep, or for how many seconds to look, MAX_PAUSE, how many seconds a dump may take, NATIVE, the library that samples calls of C or nothing, TRIES, what is tried that gives memory back, and WAS_RECORDING, whether the job recorded its memory by itself before. It leaves nothing
# behind in the job: no module, no name, no changed setting of the garbage collector, whose run would also destroy what is looked for.
def visit(folder, name, walks_graph):
    import gc

    was_enabled = gc.isenabled()
    gc.disable()
    answer, is_interrupted = "done", False
    try:
        answer = carry_out(folder, folder + "/" + name, walks_graph)
    except KeyboardInterrupt:
        answer, is_interrupted = "error the job was interrupted by Ctrl-C meanwhile", True
    except BaseException as error:
        answer = "error " + type(error).__name__ + ": " + str(error)
    finally:
        if was_enabled:
            gc.enable()
    if answer:
        tell(folder, answer)
    if is_interrupted:
        import _thread

        _thread.interrupt_main()


def carry_out(folder, path, walks_graph):
    import sys

    torch = sys.modules.get("torch")
    if TASK not in ("dump", "looks") and not uses_gpu(torch):
        raise RuntimeError("it has not used a GPU through PyTorch yet")
    probe = sys.modules.get("leakline_probe") or load(folder, type(sys))
    if TASK == "looks":
        return look(folder, probe, path)
    if TASK == "light":
        return light(torch, path)
    if TASK == "record":
        return record(probe, torch)
    if TASK == "finish":
        if probe.snapshot(path + ".pickle") is None:
            raise RuntimeError("no snapshot could be written: " + str(getattr(probe, "last_error", None)))
        stop(torch)
    dump(probe, path, walks_graph)
    return "done"


def look(folder, probe, path):
    """Has a thread of its own look, which answers at its end."""
    import _thread

    if not hasattr(probe, "look_for_visitor"):  # a probe that the job has of its own may be older
        return "done"

    def go_on():
        probe.look_for_visitor(path + ".memory.jsonl", ENTRIES, MAX_PAUSE, *([NATIVE, TRIES] if NATIVE or TRIES else []))
        tell(folder, "done")

    _thread.start_new_thread(go_on, ())
    return ""


def uses_gpu(torch):
    """Also of a torch that is still being imported."""
    is_initialized = getattr(getattr(torch, "cuda", None), "is_initialized", None)
    return is_initialized is not None and is_initialized()


def record(probe, torch):
    if getattr(torch._C, "_cuda_isHistoryEnabled", bool)():
        return "done already"
    probe.record_history(torch, ENTRIES, "python")
    return "done"


def light(torch, path):
    """Writes the allocator's segments without their history, which may be long; an older torch cannot leave it out."""
    import os
    import pickle

    try:
        content = torch._C._cuda_memorySnapshot((0, 0, False))
    except TypeError:
        content = torch.cuda.memory._snapshot()
    file = os.open(path + ".pickle", os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with open(file, "wb") as out:
        pickle.dump(content, out)
    return "done"


def stop(torch):
    if not WAS_RECORDING:
        torch.cuda.memory._record_memory_history(False)
    return "done"


def dump(probe, path, walks_graph):
    bounded = getattr(probe, "dump_for_visitor", None)  # a probe that the job has of its own may be older
    if bounded is None:
        written = probe.dump(path + ".holders", reason="request", graph=walks_graph, **({"target": TARGET} if TARGET else {}))
    else:
        written = bounded(path + ".holders", MAX_PAUSE, TARGET or None, walks_graph)
    if written is None:
        raise RuntimeError("the probe wrote nothing: " + str(getattr(probe, "last_error", None)))


def load(folder, module_type):
    path = folder + "/leakline_probe.py"
    probe = module_type("leakline_probe")
    probe.__file__ = path
    with open(path, encoding="utf-8") as source:
        text = source.read()
    exec(compile(text, path, "exec"), probe.__dict__)
    return probe


def tell(folder, answer):
    import os

    try:
        part = os.open(folder + "/answer.part", os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with open(part, "w", encoding="utf-8", errors="replace") as file:
            file.write(answer[:1000])
        os.rename(folder + "/answer.part", folder + "/answer")
    except OSError:
        pass  # leakline has gone, and the folder with it


def by_the_loop(folder, name):
    """Has the main thread's event loop make the visit, where that is what waits: asyncio wakes a loop for what other threads ask of it.

    False where there is none, or where it does not come to it in time.
    """
    import _thread
    import sys
    import time

    probe = sys.modules.get("leakline_probe") or load(folder, type(sys))
    loop, turn = waiting_loop(probe, sys), _thread.allocate_lock()
    if loop is None:
        return False

    def come():
        if turn.acquire(False):
            visit(folder, name, True)

    try:
        loop.call_soon_threadsafe(come)
    except RuntimeError:  # it has been closed meanwhile
        return False
    end = time.monotonic() + LOOP_SECONDS
    while not turn.locked() and time.monotonic() < end:
        time.sleep(0.005)
    return not turn.acquire(False)


def waiting_loop(probe, sys):
    """The event loop that the main thread runs, if it is asyncio's own or uvloop's; nothing of the job's runs when that is asked."""
    import threading

    frame, found = sys._current_frames().get(threading.main_thread().ident), None
    while frame is not None and found is None:
        for _, value in probe.locals_of(frame):
            kind = type(value)
            if kind.__module__.partition(".")[0] in ("asyncio", "uvloop") and hasattr(kind, "call_soon_threadsafe") and value.is_running():
                found = value
        frame = frame.f_back
    return found


LOOP_SECONDS = 2  # a callback of the job that takes longer is not waited for
try:
    is_done = not WALKS_GRAPH and TASK == "dump" and by_the_loop(FOLDER, NAME)
except BaseException:
    is_done = False
if not is_done:
    visit(FOLDER, NAME, WALKS_GRAPH)
