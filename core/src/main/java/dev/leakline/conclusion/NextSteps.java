package dev.leakline.conclusion;

import dev.leakline.known.RecordingAdvice;
import dev.leakline.result.Conclusion.Resource;
import dev.leakline.result.Finding.Advice;
import dev.leakline.result.MeasuredSeries;
import dev.leakline.result.OutOfMemoryExplanation;
import dev.leakline.result.OutOfMemoryMessage;
import dev.leakline.source.Clue.Kind;
import dev.leakline.text.ByteSize;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Advises what to do next: what the text around a message or figure calls for comes before what either advises by itself. */
final class NextSteps {
    private static final Advice RECORD = advice(
            "Start it with leakline run -- python ..., or attach while it runs: leakline attach PID",
            "A recording names the line that allocates, and what keeps the memory alive.");
    private static final Advice DETACH = advice(
            "Keep results without their graphs: outputs.append(model(batch).detach().cpu()), or run the loop under torch.no_grad()",
            "Each kept result keeps its whole graph on the GPU.");
    private static final Advice MAP_LOCATION = advice(
            "Load the checkpoint to the CPU: torch.load(path, map_location=\"cpu\"), or mmap=True, and delete it after load_state_dict()",
            "Without map_location its tensors are put on the GPU they were saved from, beside the model; CUDA_VISIBLE_DEVICES hides the other GPUs.");
    private static final Advice SUBMANAGER = advice(
            "Close what each request makes: try (NDManager sub = manager.newSubManager()) { ... }, and close NDArrays, NDLists and Predictors",
            "Native arrays are freed by their NDManager, not by the garbage collector; one manager for the whole application keeps all of them.");
    private static final Advice WORKERS = advice(
            "Keep the data set in numpy arrays or Arrow tables, not in lists and dicts, and lower num_workers",
            "Reading a Python object writes its reference count, so each worker copies its pages one by one (copy-on-write).");
    private static final Advice OFFLOAD = advice(
            "Give the job more host memory (RAM), or keep less there: offload optimizer states to NVMe, or offload fewer of them; lower num_workers",
            "A process that is killed without a traceback has run into a limit of the host; the GPU's batch size does not change that.");
    private static final Advice RAM = advice(
            "Give the job more host memory (RAM): --mem, limits.memory, docker --memory; or lower num_workers and prefetch_factor",
            "A process that is killed without a traceback has run into a limit of the host; dmesg says whether it was this one.");
    private static final Advice EMPTY = advice(
            "Nothing is leaked: torch.cuda.empty_cache() gives the cache back if another program needs it",
            "PyTorch keeps freed memory for the next request; nvidia-smi counts it as used.");
    private static final Advice AT_LIMIT = advice(
            "See whether it grows: leakline watch PID, or the same table every minute; meanwhile raise the limit",
            "At its limit a container is killed (exit code 137); one look does not tell whether it grows or needs that much.");
    private static final Advice SPILLED = advice(
            "Load less: a smaller or quantized model, offloading of parts (--lowvram), a lower resolution; in the NVIDIA control panel set CUDA - Sysmem Fallback Policy to Prefer No Sysmem Fallback",
            "Windows' driver moves what does not fit into system memory, over PCIe; with the policy it is an error instead of slow.");
    private static final Advice POOL = advice(
            "Serve fewer requests at a time (--max-num-seqs), shorter ones (--max-model-len), or give the pool more (--gpu-memory-utilization)",
            "The pool was allocated at start: a full one makes requests wait, and is no leak.");
    private static final Advice GROWTH = advice(
            "Allocate on demand: tf.config.experimental.set_memory_growth(gpu, True), or TF_FORCE_GPU_ALLOW_GROWTH=true",
            "TensorFlow takes the whole device at start otherwise, and leaves nothing to a second program.");
    private static final Advice SOLVED = advice(
            "Nothing: the text says that the problem is solved",
            "If it comes back, leakline watch PID tells within minutes whether memory grows.");
    private static final Advice FITS = advice(
            "Nothing: the peak fits, and nothing in the text failed",
            "What a job needs at its peak is what counts; a larger batch may need more.");
    private static final Advice POOL_AT_START = advice(
            "Nothing, unless something else needs the device: then lower the share of the device that the server takes at its start",
            "A server allocates the pool for keys and values at its start, and serves all requests from it.");
    private static final Advice WHOLE_MODEL = advice(
            "Make all of it fit: a shorter context (num_ctx, -c), a quantized KV cache (OLLAMA_KV_CACHE_TYPE=q8_0), a smaller quantization or model, until ollama ps shows 100% GPU",
            "Layers that do not fit the device are computed by the CPU, which is several times slower and no error.");
    private static final Advice BUILT = advice(
            "Nothing: the engine is there; if it is slow, build it where more memory is free",
            "Building tries several tactics for each layer, and leaves out those that need too much.");
    private static final Advice IN_PIECES = advice(
            "Start the job with PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True, or pad inputs to a few fixed sizes",
            "Each retry frees the cache and allocates anew (cudaFree, cudaMalloc), which makes a step slow; torch.cuda.empty_cache() would do that more often.");
    private static final Advice OWN_TENSORS = advice(
            "Use a smaller batch, or mixed precision: this program's own tensors fill the memory that it may take",
            "What is in use is more than what was requested; allocating on demand or other programs would not change that.");
    private static final Advice PASTE = advice(
            "Run it with leakline run -- python ..., or give explain the whole message with its traceback and log",
            "What the text holds is too little to conclude from; a recording has the lines, the sizes and the rates.");

    private static final Advice AVAILABLE = advice(
            "Nothing is leaked: read the column available of free, not free; the kernel gives the page cache back to whoever asks",
            "Files that were read stay in memory while nobody else needs it, also when their reader has ended.");
    private static final Advice WATCH = advice(
            "Watch it while it runs: leakline watch PID says within minutes whether it leaks; leakline attach PID then names the line",
            "Too few measurements tell nothing of growth; neither command needs a restart.");
    private static final Advice WATCH_HOST = advice(
            "Watch it while it grows: leakline watch PID judges host memory (RSS), too; leakline attach PID then lists what is kept",
            "It is about host memory; too few measurements tell nothing of growth, and neither command needs a restart.");
    private static final Advice RANKS = advice(
            "Attach to the rank that grows and to another one (leakline attach PID), and compare them: leakline ranks FOLDER",
            "What one rank holds more than the others of the same model is at a line that only it runs, or runs with other data.");
    private static final Advice VERSIONS = advice(
            "Record the same job with both versions (leakline run -- python ...), and compare: leakline diff OLD NEW",
            "Lines that hold more in one recording than in the other are what the new version changed.");
    private static final Advice OWN_DEVICE = advice(
            "Call torch.cuda.set_device(local_rank) before anything that uses the GPU, and torch.load(path, map_location=f\"cuda:{local_rank}\")",
            "What names no device goes to device 0, where it makes a context of each rank; without map_location a checkpoint goes where it was saved from.");
    private static final Advice LEFTOVERS = advice(
            "Find who holds it: sudo fuser -v /dev/nvidia*, or leakline ps on the host; stop what is left, such as a worker or the parent of a zombie",
            "nvidia-smi lists no process of another container, and none that is ending; the driver frees the memory when the last of them has closed the device.");
    private static final Advice GIVE_BACK = advice(
            "Call gc.collect(), then torch.cuda.empty_cache(); what is held then has a holder: leakline attach PID names it",
            "del removes one name; the memory is given back when no variable, list, frame of a traceback or graph has it.");

    private static final Advice TRIED = advice(
            "Print torch.cuda.memory_allocated(): above 0, leakline attach PID names who refers to it (in a notebook Out[n], _, or the last traceback)",
            "At 0 nothing of PyTorch's is left: what nvidia-smi still shows is the CUDA context, some hundred MiB that only the end of the process frees.");
    private static final Advice CYCLES = advice(
            "Watch more cycles: leakline watch PID, or print the same lines for 20 of them; what each cycle keeps shows where memory is lowest",
            "A few cycles tell that memory comes back, and not whether a little of it stays each time.");
    private static final Advice WHICH = advice(
            "See which memory it was by the last lines of the log: CUDA out of memory is the GPU's; Killed, exit code 137 or Ray's low on memory the host's",
            "nvidia-smi and free -g beside it tell the same while it runs; give explain the log, or leakline bundle for all of it.");
    private static final Advice FEWER_TOKENS = advice(
            "Lower the batch size or the longest sequence (max_completion_length, max_seq_length) and accumulate gradients; or a loss that takes logits in chunks",
            "Logits are tokens times vocabulary times 4 bytes, and their gradient is as large; they grow with the batch, not with the model.");
    private static final Advice FEWER_STATES = advice(
            "Train adapters (LoRA), use an 8-bit optimizer, or shard states over devices (FSDP, ZeRO); a smaller batch does not change them",
            "Gradients and the optimizer's states are several times the weights, whatever the batch size.");
    private static final Advice BUT_FREE = advice(
            "Give explain the whole message, and look at the moment of the failure: leakline watch PID; nvidia-smi a minute later shows another one",
            "More free than requested is explained by a limit (set_per_process_memory_fraction, MIG), another device, another process, or a cut message.");
    private static final Advice HEAP = advice(
            "Take a second profile later, and compare: jeprof --base=FIRST, or snapshot.compare_to() of tracemalloc; what grows between them leaks",
            "One profile shows what is held at one moment, and not whether that grows.");

    /** A library that keeps freed memory, and how to make it give that back. */
    private record Pool(Kind mark, String name, Advice advice) {}

    private static final List<Pool> POOLS = List.of(
            new Pool(
                    Kind.CUPY,
                    "CuPy's pool",
                    advice(
                            "Nothing is leaked: cupy.get_default_memory_pool().free_all_blocks() gives the pool back; set_limit(size=...) bounds it",
                            "CuPy keeps freed memory for its next array; nvidia-smi counts it as used.")),
            new Pool(
                    Kind.RMM,
                    "RMM's pool",
                    advice(
                            "Nothing is leaked: bound the pool (maximum_pool_size), or use rmm.mr.CudaAsyncMemoryResource with a release_threshold",
                            "A pool of RMM gives memory back to the driver only when it is destroyed.")),
            new Pool(Kind.TENSORFLOW, "TensorFlow", GROWTH),
            new Pool(
                    Kind.JAX,
                    "JAX",
                    advice(
                            "Nothing is leaked: XLA_PYTHON_CLIENT_PREALLOCATE=false allocates on demand, XLA_PYTHON_CLIENT_MEM_FRACTION=.5 takes less",
                            "JAX takes three quarters of the device at its first operation, whatever the program needs.")));

    private static final String LESS_BESIDE =
            "Lower what libraries hold beside PyTorch: fewer NCCL communicators, or a smaller NCCL_BUFFSIZE; other CUDA libraries one by one";
    /** A CUDA context with its kernels and handles takes less than one gibibyte; more is that of libraries. */
    private static final long LIBRARIES = 2 * ByteSize.GIB;

    /** Marks of what runs when memory ends, of which the way out is known. */
    private static final List<Kind> WITH_FRAMES = List.of(Kind.KEEPS_OUTPUTS, Kind.DECODES_LATENTS, Kind.HIGH_VRAM);

    private final CaseTexts texts;
    private final List<Advice> steps = new ArrayList<>();

    NextSteps(CaseTexts texts) {
        this.texts = texts;
    }

    List<Advice> steps() {
        return List.copyOf(steps);
    }

    NextSteps growth(Rise growth) {
        if (texts.has(Kind.PEERS_HOLD_MORE)) {
            steps.add(RANKS);
        }
        if (texts.has(Kind.KEEPS_RESULTS) && growth.resource() != Resource.HOST) {
            steps.add(DETACH);
        }
        if (growth.resource() == Resource.HOST) {
            ProgramNotes.habits(texts, Resource.HOST, Kind.VARYING_SHAPES).forEach(steps::add);
            steps.add(ofHost());
        } else {
            ProgramNotes.habits(texts, Resource.DEVICE, Kind.KEEPS_OUTPUTS).forEach(steps::add);
            steps.addAll(growth.advice());
            steps.add(RECORD);
        }
        return this;
    }

    /** What a message of another program than PyTorch advises where memory of it grew: recordings of PyTorch's allocator do not show it. */
    NextSteps ofProgram(Optional<OutOfMemoryExplanation> message) {
        message.filter(one -> !one.found().message().program().equals("PyTorch"))
                .filter(one -> one.kind() == OutOfMemoryExplanation.Kind.DEVICE_OOM)
                .ifPresent(one -> steps.addAll(one.advice()));
        return this;
    }

    private Advice ofHost() {
        if (texts.has(Kind.DJL)) {
            return SUBMANAGER;
        }
        return texts.has(Kind.WORKERS) || texts.has(Kind.PYTHON_OBJECTS) ? WORKERS : RecordingAdvice.HOST;
    }

    /** What libraries hold beside PyTorch, where without it the request would have fitted. */
    NextSteps libraries(OutOfMemoryExplanation.Kind kind, Facts facts) {
        long beside = facts.bytes("non_pytorch");
        if (kind == OutOfMemoryExplanation.Kind.DEVICE_OOM
                && beside >= LIBRARIES
                && beside >= facts.bytes("requested")) {
            steps.add(Advice.of(LESS_BESIDE, "This process holds that much outside of PyTorch's allocator.", beside));
        }
        return this;
    }

    /** What helps where the tensors of TensorFlow's own program fill what it may take. */
    NextSteps ownTensors(OutOfMemoryExplanation message, Facts facts) {
        boolean isFull = facts.bytes("allocated") > facts.bytes("requested") && facts.bytes("requested") > 0;
        if (isFull && message.found().message().program().equals("TensorFlow")) {
            steps.add(OWN_TENSORS);
        }
        return this;
    }

    /** What a message advises, behind what its surroundings call for. */
    NextSteps message(OutOfMemoryExplanation message, OutOfMemoryExplanation.Kind kind, DeviceUsers users) {
        boolean isOfDevice = kind.isDeviceOom() && kind != OutOfMemoryExplanation.Kind.DEVICE_OOM_FRAGMENTATION;
        refusal(message).ifPresent(steps::add);
        if (isKilledByKernel(message) && texts.has(Kind.OFFLOADS)) {
            steps.add(OFFLOAD);
        }
        if (isOfDevice && texts.has(Kind.LOADS_CHECKPOINT)) {
            steps.add(MAP_LOCATION);
        }
        if (isOfDevice) {
            WITH_FRAMES.forEach(
                    mark -> ProgramNotes.habits(texts, Resource.DEVICE, mark).forEach(steps::add));
        }
        if (texts.has(Kind.JAX) && !users.processes().isEmpty()) {
            steps.addAll(message.advice()); // a second process of JAX finds nothing, however little the first one needs
        }
        if (Concluder.isHeldElsewhere(kind)) {
            others(users).ifPresent(steps::add);
        }
        if (isOfDevice && texts.has(Kind.TENSORFLOW) && !users.processes().isEmpty()) {
            steps.add(GROWTH);
        }
        message.advice().stream().filter(step -> !steps.contains(step)).forEach(steps::add);
        return this;
    }

    private static boolean isKilledByKernel(OutOfMemoryExplanation message) {
        OutOfMemoryMessage.Cause cause = message.found().message().cause();
        return cause != null && cause.advice().startsWith("kernel.");
    }

    /** What a server advises that refuses to start since PyTorch failed in it: it knows its own settings. */
    private Optional<Advice> refusal(OutOfMemoryExplanation message) {
        return message.kind() != OutOfMemoryExplanation.Kind.DEVICE_OOM
                ? Optional.empty()
                : texts.messages().stream()
                        .filter(other -> other.log() == message.log()
                                && other.kind() == OutOfMemoryExplanation.Kind.STARTUP_REFUSAL)
                        .flatMap(other -> other.advice().stream())
                        .findFirst();
    }

    private static Optional<Advice> others(DeviceUsers users) {
        return users.processes().stream().findFirst().map(NextSteps::stop);
    }

    private static Advice stop(MeasuredSeries process) {
        return advice(
                "Check " + Occupants.named(process) + ", and stop it if nobody needs it: leakline ps shows whose it is",
                "It holds " + ByteSize.format(process.last().value()) + " of the device.");
    }

    NextSteps killed() {
        steps.add(texts.has(Kind.OFFLOADS) ? OFFLOAD : RAM);
        return this;
    }

    NextSteps cache() {
        steps.add(pool().map(Pool::advice).orElse(EMPTY));
        return this;
    }

    private Optional<Pool> pool() {
        return POOLS.stream().filter(pool -> texts.has(pool.mark())).findFirst();
    }

    /** Whether the text names a library, beside PyTorch, that keeps freed memory in a pool. */
    boolean isPooled() {
        return pool().isPresent();
    }

    /** The library whose cache it is. */
    String library() {
        return pool().map(Pool::name).orElse("PyTorch");
    }

    NextSteps pageCache() {
        steps.add(AVAILABLE);
        return this;
    }

    NextSteps steady(Course course) {
        ProgramNotes.habits(texts, Resource.DEVICE).forEach(steps::add);
        steps.add(course.advice());
        return this;
    }

    NextSteps resolved() {
        steps.add(SOLVED);
        return this;
    }

    NextSteps built() {
        steps.add(BUILT);
        return this;
    }

    NextSteps fits() {
        steps.add(FITS);
        return this;
    }

    /** A server's pool, by the setting of the server that the text names. */
    NextSteps poolAtStart() {
        ProgramNotes.habits(texts, Resource.DEVICE, Kind.KV_POOL).forEach(steps::add);
        steps.add(POOL_AT_START);
        return this;
    }

    NextSteps partlyOffloaded() {
        steps.add(WHOLE_MODEL);
        return this;
    }

    NextSteps inPieces() {
        steps.add(IN_PIECES);
        return this;
    }

    NextSteps atLimit() {
        steps.add(AT_LIMIT);
        return this;
    }

    NextSteps spilled() {
        steps.add(SPILLED);
        return this;
    }

    /** Stop what holds most of a device. */
    NextSteps stopping(MeasuredSeries process) {
        steps.add(stop(process));
        return this;
    }

    NextSteps hostUser(HostUser user) {
        steps.add(advice(
                "Watch that process: leakline watch " + user.process().process()
                        + " says whether its memory grows; then limit or restart it",
                "One look tells who holds the memory, and not whether that grows."));
        return this;
    }

    NextSteps fault(OtherFault fault) {
        steps.add(fault.advice());
        return this;
    }

    NextSteps keyValuePool() {
        steps.add(POOL);
        return this;
    }

    NextSteps cycles() {
        steps.add(CYCLES);
        return this;
    }

    NextSteps heap() {
        ProgramNotes.habits(texts, Resource.HOST).forEach(steps::add);
        steps.add(HEAP);
        return this;
    }

    NextSteps ranks() {
        steps.add(RANKS);
        return this;
    }

    NextSteps versions(@Nullable Resource resource) {
        ProgramNotes.changes(texts, resource == null ? Resource.DEVICE : resource)
                .forEach(steps::add);
        steps.add(VERSIONS);
        return this;
    }

    NextSteps fitting(Need need) {
        steps.add(need.isOfLogits() ? FEWER_TOKENS : FEWER_STATES);
        steps.add(RECORD);
        return this;
    }

    NextSteps left() {
        steps.add(TRIED);
        return this;
    }

    NextSteps butFree() {
        steps.add(BUT_FREE);
        return this;
    }

    NextSteps contexts() {
        steps.add(OWN_DEVICE);
        return this;
    }

    NextSteps unlisted() {
        steps.add(LEFTOVERS);
        return this;
    }

    /** What would answer, where a text only tells what is asked. */
    NextSteps open(@Nullable Resource resource) {
        boolean grows = texts.has(Kind.SAYS_GROWS) || texts.has(Kind.ASKS_LEAK);
        Resource about = resource == null ? Resource.DEVICE : resource;
        if (texts.has(Kind.ASKS_WHICH) && resource == null) {
            steps.add(WHICH);
        } else if (resource == Resource.HOST) {
            steps.add(texts.has(Kind.DJL) ? ofHost() : WATCH_HOST);
            steps.add(texts.has(Kind.DJL) ? WATCH_HOST : ofHost());
        } else if (grows && texts.has(Kind.RANKS_DIFFER)) {
            steps.add(RANKS);
        } else if (texts.has(Kind.COMPARES_VERSIONS)) {
            versions(about);
        } else if (grows) {
            steps.add(WATCH);
        } else if (texts.has(Kind.NOT_GIVEN_BACK) && !(texts.has(Kind.COLLECTS) && texts.has(Kind.EMPTIES))) {
            steps.add(GIVE_BACK);
        }
        ProgramNotes.habits(texts, about).forEach(steps::add);
        steps.add(PASTE);
        return this;
    }

    private static Advice advice(String action, String why) {
        return Advice.of(action, why, 0);
    }
}
