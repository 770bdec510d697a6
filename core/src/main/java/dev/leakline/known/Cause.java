package dev.leakline.known;

import dev.leakline.result.Finding.Advice;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A known cause of memory that is not freed.
 *
 * @param id its name in reports
 * @param title what goes on, in a few words
 * @param text the same in a sentence
 * @param remedies what to do, the best first: each an edit that ends the growth by itself, as far as the cause is the right one
 */
public record Cause(String id, String title, String text, List<Remedy> remedies) {
    /** Where PyTorch explains what must not be kept. */
    private static final String FAQ = "https://docs.pytorch.org/docs/stable/notes/faq.html";

    private static final String AUTOGRAD = "https://docs.pytorch.org/docs/stable/notes/autograd.html";
    private static final String HOOKS = "https://docs.pytorch.org/docs/stable/generated/torch.nn.Module.html";
    private static final String VIEWS = "https://docs.pytorch.org/docs/stable/tensor_view.html";
    private static final String CYCLES = "https://docs.pytorch.org/docs/stable/torch_cuda_memory.html";
    private static final String ZERO_GRAD =
            "https://docs.pytorch.org/docs/stable/generated/torch.optim.Optimizer.zero_grad.html";
    private static final String AUTOCAST = "https://docs.pytorch.org/docs/stable/amp.html";
    private static final String TRACEBACK = "https://docs.python.org/3/library/traceback.html";
    private static final String WEAK = "https://docs.python.org/3/library/weakref.html";
    private static final String CACHE = "https://docs.python.org/3/library/functools.html";
    private static final String METHOD_CACHE =
            "https://docs.python.org/3/faq/programming.html#how-do-i-cache-method-calls";
    private static final String FINALIZE = "https://docs.python.org/3/library/weakref.html#weakref.finalize";
    private static final String EXTENDING = "https://docs.pytorch.org/docs/stable/notes/extending.html";
    private static final String LOGGING = "https://docs.python.org/3/library/logging.handlers.html#memoryhandler";
    private static final String BACKWARD_CALL =
            "https://docs.pytorch.org/docs/stable/generated/torch.Tensor.backward.html";
    private static final String ATEXIT = "https://docs.python.org/3/library/atexit.html#atexit.unregister";
    private static final String TASK = "https://docs.python.org/3/library/asyncio-task.html#asyncio.create_task";
    private static final String QUEUE = "https://docs.python.org/3/library/queue.html";
    private static final String GENERATOR = "https://docs.python.org/3/reference/expressions.html#generator.close";
    private static final String METRICS = "https://lightning.ai/docs/torchmetrics/stable/pages/overview.html";
    private static final String ADAPTER = "https://huggingface.co/docs/peft/package_reference/tuners";
    private static final String TRAINER = "https://huggingface.co/docs/transformers/main_classes/trainer";

    /** Stands in remedies for what keeps the memory. */
    private static final Pattern KEPT = Pattern.compile("\\bkept\\b");

    private static final Pattern PART = Pattern.compile("\\.(\\d+)\\b");
    private static final Pattern EXPRESSION = Pattern.compile("[A-Za-z_][\\w.\\[\\]']*");

    /**
     * A remedy for a cause.
     *
     * @param action what, as an order
     * @param why what it changes
     * @param before a line as it is likely to be, in Python
     * @param after the line as it should be
     * @param link where this is explained
     */
    public record Remedy(String action, String why, String before, String after, String link) {
        /** It with the name of what keeps the memory; as it is where that is no name that Python has, such as one through a cycle. */
        public Remedy named(String name) {
            String indexed = PART.matcher(name).replaceAll("[$1]");
            return EXPRESSION.matcher(indexed).matches()
                    ? new Remedy(action, why, named(before, indexed), named(after, indexed), link)
                    : this;
        }

        private static String named(String line, String name) {
            return KEPT.matcher(line).replaceAll(Matcher.quoteReplacement(name));
        }

        /** It as advice that gives back some bytes, with the limit of a collection that nobody saw grow. */
        public Advice advice(long bytes) {
            return advice(bytes, AdvisedLimit.MOST);
        }

        private Advice advice(long bytes, int limit) {
            return Advice.of(action, why, bytes, before, AdvisedLimit.in(after, limit), link);
        }
    }

    private static final Remedy DETACH = new Remedy(
            "Keep a detached copy: x.detach() for what is carried to the next step, x.detach().cpu() for what is collected, x.item() for a number.",
            "A tensor that autograd made holds on to everything it was computed from; a detached one does not.",
            "kept.append(x)",
            "kept.append(x.detach().cpu())",
            FAQ);
    private static final Remedy NO_GRAD = new Remedy(
            "Run it under torch.no_grad() if nothing is trained there.",
            "Then nothing is saved for a backward pass that never runs.",
            "outputs = model(batch)",
            "with torch.no_grad(): outputs = model(batch)",
            AUTOGRAD);
    private static final Remedy BOUND = new Remedy(
            "Bound the collection, or clear it each epoch.",
            "A list, dict or queue that lives as long as the job keeps every tensor ever added to it.",
            "kept = []",
            "kept = collections.deque(maxlen=64)",
            FAQ);
    private static final Remedy TO_HOST = new Remedy(
            "Move kept tensors to CPU memory.",
            "The GPU memory is then freed.",
            "kept.append(x)",
            "kept.append(x.detach().cpu())",
            FAQ);

    /** Results with their autograd graphs are kept. */
    public static final Cause GRAPH_KEPT = new Cause(
            "autograd_graph_kept",
            "a result is kept together with its autograd graph",
            "What stays is what layers save for a backward pass.",
            List.of(DETACH, NO_GRAD));
    /** Results with their autograd graphs are kept, and no backward pass runs. */
    public static final Cause NO_GRAD_MISSING = new Cause(
            "autograd_graph_kept",
            "results are kept together with their autograd graphs, which nothing uses",
            "What stays is what layers save for a backward pass, and none runs.",
            List.of(DETACH, NO_GRAD));
    /** Values are carried from step to step with their graphs, and no backward pass runs. */
    public static final Cause GRAPH_CARRIED = new Cause(
            "autograd_graph_kept",
            "values are carried from step to step with their autograd graphs, which nothing uses",
            NO_GRAD_MISSING.text,
            List.of(NO_GRAD, DETACH));
    /** A graph is kept because a backward pass is told not to free it. */
    public static final Cause GRAPH_RETAINED = new Cause(
            "autograd_graph_kept",
            "backward(retain_graph=True) keeps the autograd graph of a result that is kept",
            "The backward pass does not free what layers saved for it, and the result holds on to all of it.",
            List.of(
                    DETACH,
                    new Remedy(
                            "Call backward() without retain_graph=True the last time that it runs over a graph.",
                            "The backward pass then frees what was saved for it.",
                            "loss.backward(retain_graph=True)",
                            "loss.backward()",
                            AUTOGRAD)));
    /** An exception keeps the frames it came through. */
    public static final Cause EXCEPTION = new Cause(
            "exception_traceback",
            "a kept exception holds the frames of its traceback",
            "The traceback of an exception holds every variable of the functions that it passed through.",
            List.of(new Remedy(
                    "Keep the exception's text, or drop its traceback.",
                    "The traceback holds the frames, and the frames hold the tensors.",
                    "kept.append(error)",
                    "kept.append(repr(error))",
                    TRACEBACK)));
    /** A hook stores what it sees. */
    public static final Cause HOOK = new Cause(
            "hook",
            "a hook keeps tensors",
            "A hook stores what it sees at every call, and nothing removes that.",
            List.of(
                    new Remedy(
                            "Have the hook keep a copy in CPU memory, or only the latest one; or remove the hook: handle.remove().",
                            "Whatever a hook adds to a collection stays as long as the collection, and the hook runs until it is removed.",
                            "kept.append(output)",
                            "kept.append(output.detach().cpu())",
                            HOOKS),
                    new Remedy(
                            "Remove the hook when it is no longer needed.",
                            "It runs at every call until then.",
                            "layer.register_forward_hook(watch)",
                            "handle = layer.register_forward_hook(watch); ...; handle.remove()",
                            HOOKS)));
    /** A hook is registered again and again. */
    public static final Cause HOOKS_PILE_UP = new Cause(
            "hook",
            "hooks pile up",
            "It is allocated in a hook that runs more often from step to step: another one is registered each time, and none is removed.",
            List.of(new Remedy(
                    "Remove the hook after use: handle.remove().",
                    "Each registration adds another hook; all of them run at every call, and each keeps what it refers to.",
                    "layer.register_forward_hook(watch)",
                    "handle = layer.register_forward_hook(watch); ...; handle.remove()",
                    HOOKS)));
    /** Hooks that pile up keep tensors which others made. */
    public static final Cause HOOKS_KEEP = new Cause(
            "hook",
            "hooks that pile up keep tensors",
            "A hook runs more often from step to step: another one is registered each time and none is removed, and each keeps what it"
                    + " refers to.",
            HOOKS_PILE_UP.remedies);
    /** Hooks that steps register stay. */
    public static final Cause STEP_HOOKS = new Cause(
            "hook",
            "hooks of earlier steps keep tensors",
            "A step registers a hook. Unless it is removed, it stays with its module, and keeps what it refers to.",
            HOOKS_PILE_UP.remedies);
    /** Copies of the model are kept. */
    public static final Cause CHECKPOINTS = new Cause(
            "checkpoints_kept",
            "copies of the model's state are kept",
            "Whole copies of a model's state are made on the GPU, and none is freed.",
            List.of(new Remedy(
                    "Keep copies in CPU memory or on disk, and only the best.",
                    "Each copy is as large as the model.",
                    "kept.append(copy.deepcopy(model.state_dict()))",
                    "kept.append({k: v.cpu() for k, v in model.state_dict().items()})",
                    FAQ)));
    /** Models are made again and again, and kept. */
    public static final Cause MODELS = new Cause(
            "models_kept",
            "whole models are kept",
            "Models are made again and again, and the old ones stay.",
            List.of(new Remedy(
                    "Keep what you need of a finished model, in CPU memory, not the model, its trainer or its optimizer.",
                    "Whatever refers to a model or an optimizer keeps parameters, gradients and optimizer state.",
                    "kept.append(model)",
                    "kept.append({k: v.cpu() for k, v in model.state_dict().items()})",
                    FAQ)));
    /** An optimizer is made again while the old one is kept. */
    public static final Cause OPTIMIZER = new Cause(
            "optimizer_made_again",
            "optimizer state is allocated again and again",
            "Probably new optimizers, or new parameters of one, are created while the old are kept.",
            List.of(new Remedy(
                    "Create the optimizer once, before the loop.",
                    "Each optimizer holds state of its own, up to twice the size of the parameters, and the parameters too.",
                    "for epoch in epochs: optimizer = torch.optim.Adam(model.parameters())",
                    "optimizer = torch.optim.Adam(model.parameters())  # before the loop",
                    FAQ)));
    /** Gradients are kept. */
    public static final Cause BACKWARD = new Cause(
            "backward_results_kept",
            "gradients are kept",
            "It is allocated by backward passes and stays: something refers to gradients of earlier steps.",
            List.of(new Remedy(
                    "Keep numbers of the gradients, or copies in CPU memory.",
                    "A gradient that something refers to stays when zero_grad() sets p.grad to None.",
                    "kept.append([p.grad for p in model.parameters()])",
                    "kept.append([p.grad.detach().cpu() for p in model.parameters()])",
                    FAQ)));
    /** Gradients grow because nothing clears them. */
    public static final Cause GRADIENTS_GROW = new Cause(
            "gradients_accumulate",
            "gradients grow from step to step",
            "Each backward pass replaces a gradient by a longer one: sparse gradients are added by joining them, and nothing clears them.",
            List.of(new Remedy(
                    "Clear the gradients of all parameters after each step: model.zero_grad().",
                    "optimizer.zero_grad() clears those of its own parameters only.",
                    "optimizer.step()",
                    "optimizer.step(); model.zero_grad()",
                    ZERO_GRAD)));
    /** Gradients that can be differentiated again are kept. */
    public static final Cause GRADIENT_GRAPHS = new Cause(
            "autograd_graph_kept",
            "gradients are kept together with their graphs",
            "What stays is what layers save for a backward pass, and what backward passes allocate: so it is after backward(create_graph=True),"
                    + " as long as the gradients stay.",
            List.of(
                    new Remedy(
                            "Set the gradients to None when they are used: model.zero_grad(set_to_none=True).",
                            "A gradient that backward(create_graph=True) made holds on to the graph that it was computed from.",
                            "loss.backward(create_graph=True)",
                            "loss.backward(create_graph=True); ...; model.zero_grad(set_to_none=True)",
                            ZERO_GRAD),
                    DETACH));
    /** Gradients that can be differentiated again are tied to their parameters. */
    public static final Cause GRADIENT_CYCLES = new Cause(
            "gradient_cycle",
            "backward(create_graph=True) ties parameters and gradients together",
            "Each gradient keeps its graph, the graph the parameter, and the parameter the gradient: a reference cycle that the garbage"
                    + " collector does not see.",
            List.of(
                    new Remedy(
                            "Compute the gradients by torch.autograd.grad(loss, parameters, create_graph=True), and do not store them in .grad.",
                            "No parameter then refers to a graph that refers to it.",
                            "loss.backward(create_graph=True)",
                            "gradients = torch.autograd.grad(loss, list(model.parameters()), create_graph=True)",
                            BACKWARD_CALL),
                    GRADIENT_GRAPHS.remedies.getFirst()));
    /** A container holds it. */
    public static final Cause CONTAINER = new Cause(
            "kept_in_container",
            "something that outlives the step keeps it",
            "Typical holders are a list, a dict used as a cache, an attribute and a closure.",
            List.of(BOUND, TO_HOST));
    /** A container holds it, and the lines that are at hand do not show which. */
    public static final Cause UNSEEN = new Cause(
            CONTAINER.id,
            CONTAINER.title,
            "No line of the calls in the source at hand shows what.",
            List.of(new Remedy(
                    "Find what keeps it by a holder dump: leakline run starts the job with it, leakline attach enters one that runs.",
                    "A dump names the objects that refer to the memory.",
                    "",
                    "",
                    FAQ)));
    /** Outputs that are read at the end of an epoch are kept. */
    public static final Cause EPOCH_OUTPUTS = new Cause(
            CONTAINER.id,
            "outputs of all epochs are kept",
            "A list is given the outputs of each batch and read at the end of each epoch, but not cleared then.",
            List.of(
                    new Remedy(
                            "Clear the list when it has been read, at the end of each epoch.",
                            "The outputs of the epoch are then freed.",
                            "total = sum(kept)",
                            "total = sum(kept); kept.clear()",
                            FAQ),
                    TO_HOST));
    /** A finalizer holds its object. */
    public static final Cause FINALIZER = new Cause(
            "finalizer",
            "a finalizer holds the object whose end it waits for",
            "weakref.finalize keeps its function and arguments until the object is freed; a bound method of the object, or the object"
                    + " as an argument, keeps the object itself.",
            List.of(new Remedy(
                    "Give weakref.finalize a function, and arguments, that do not refer to the object.",
                    "The object is then freed when nothing else refers to it.",
                    "weakref.finalize(self, self.release)",
                    "weakref.finalize(self, release, self.path)",
                    FINALIZE)));
    /** The context of an autograd function keeps its output. */
    public static final Cause CONTEXT_CYCLE = new Cause(
            "context_cycle",
            "an autograd function keeps its own output in its context",
            "The output keeps the context of its backward pass, and the context the output: a reference cycle, which only Python's"
                    + " garbage collector frees, if it runs.",
            List.of(new Remedy(
                    "Save outputs by ctx.save_for_backward, not as attributes of ctx.",
                    "What save_for_backward saves of its own output makes no cycle.",
                    "ctx.out = out",
                    "ctx.save_for_backward(out)",
                    EXTENDING)));
    /** The garbage collector is switched off. */
    public static final Cause COLLECTOR_OFF = new Cause(
            "reference_cycle",
            "reference cycles stay, as the garbage collector is switched off",
            "Objects that refer to each other are freed only when the garbage collector runs.",
            List.of(new Remedy(
                    "Call gc.collect() now and then, or break the cycles.",
                    "It frees what only objects in cycles refer to.",
                    "gc.disable()",
                    "gc.disable(); ...; gc.collect()  # every hundred steps",
                    CYCLES)));
    /** Results are kept whose graph a backward pass has freed. */
    public static final Cause RESULTS_KEPT = new Cause(
            "kept_in_container",
            "something that outlives the step keeps results",
            "The backward pass freed what the layers had saved for it; what stays are the tensors that are kept, each as large as it is.",
            List.of(TO_HOST, BOUND));
    /** Tensors in CPU memory are kept. */
    public static final Cause HOST_COPIES = new Cause(
            "host_copies_kept",
            "tensors in CPU memory are kept",
            "Typical are copies of results that are collected to be written later.",
            List.of(
                    new Remedy(
                            "Write them to disk and clear the collection, or bound it.",
                            "A collection that lives as long as the job keeps every tensor ever added to it.",
                            "kept = []",
                            "kept = collections.deque(maxlen=64)",
                            FAQ),
                    new Remedy(
                            "Pin a few buffers once, and copy into them.",
                            "Pinned memory is rounded up to powers of two, and cannot be swapped out.",
                            "host = x.to('cpu', non_blocking=True)",
                            "host_buffer.copy_(x, non_blocking=True)",
                            FAQ)));
    /** A cache has no limit. */
    public static final Cause CACHE_GROWS = new Cause(
            "unbounded_cache",
            "a cache grows without a limit",
            "Its entries are never removed, or less often than new ones come.",
            List.of(new Remedy(
                    "Give the cache a limit: remove the oldest entry when it is full.",
                    "A dict keeps every entry ever added to it, also those that nobody asks for again.",
                    "kept[key] = value",
                    "kept[key] = value; kept.pop(next(iter(kept))) if len(kept) > 64 else None",
                    CACHE)));
    /** A memoized function has no limit. */
    public static final Cause MEMO_GROWS = new Cause(
            "unbounded_cache",
            "a memoized function keeps every result",
            "functools.cache and lru_cache(maxsize=None) never forget a result.",
            List.of(new Remedy(
                    "Give the cache a maxsize.",
                    "It then drops the entry used least recently. Each entry keeps its tensors: take a size that there is memory for, or cache numbers and make the tensors anew.",
                    "@functools.lru_cache(maxsize=None)",
                    "@functools.lru_cache(maxsize=64)",
                    CACHE)));
    /** A memoized method keeps its objects. */
    public static final Cause MEMO_OBJECTS = new Cause(
            "memoized_method",
            "a memoized method keeps the objects that it is called on",
            "The cache of functools.cache or lru_cache on a method belongs to the class: its keys hold self, and with it all that the object refers to.",
            List.of(new Remedy(
                    "Take the cache off the method; cache a function that is given what it needs of self, but not self.",
                    "An object is then freed when nothing else refers to it.",
                    "@functools.lru_cache(maxsize=None)",
                    "# no cache: its keys would hold self",
                    METHOD_CACHE)));
    /** Something is registered and keeps what it refers to. */
    public static final Cause REGISTERED = new Cause(
            "registered_callback",
            "what is registered to be called later keeps what it is to be called with",
            "A registration, such as that of atexit, of a timer or of an event, keeps the function, its arguments, and the object of a"
                    + " method, until it is ended.",
            List.of(
                    new Remedy(
                            "End the registration when the work is done, or register what does not refer to the object.",
                            "What it was to be called with is then freed.",
                            "atexit.register(save, kept)",
                            "atexit.unregister(save); atexit.register(save, kept)",
                            ATEXIT),
                    TO_HOST));
    /** Tasks that have ended are kept. */
    public static final Cause TASKS = new Cause(
            "tasks_kept",
            "tasks that have ended are kept with their results",
            "A task or future keeps what its function returned, or the exception that it raised, as long as something refers to the task.",
            List.of(new Remedy(
                    "Remove the task from where it is kept when it is done: task.add_done_callback.",
                    "It is then freed with its result.",
                    "kept.add(task)",
                    "kept.add(task); task.add_done_callback(kept.discard)",
                    TASK)));
    /** Log records keep tensors. */
    public static final Cause LOG_RECORDS = new Cause(
            "log_records",
            "log records keep tensors",
            "A log record keeps the arguments of its message; a handler that keeps records, such as MemoryHandler, keeps them too.",
            List.of(new Remedy(
                    "Log texts or numbers, not tensors: str(x), x.item().",
                    "The record then keeps no GPU memory, whatever its handlers do.",
                    "log.debug('first: %s', x)",
                    "log.debug('first: %s', str(x))",
                    LOGGING)));
    /** The values of a weak dictionary refer to its keys. */
    public static final Cause WEAK_KEYS = new Cause(
            "weak_keys",
            "values of a WeakKeyDictionary refer to their own keys",
            "An entry goes when its key is gone; but the dictionary keeps the value, and the value keeps the key.",
            List.of(new Remedy(
                    "Refer from the value to its key by weakref.ref, or not at all.",
                    "The key is then freed when nothing else refers to it, and the entry with it.",
                    "value.owner = key",
                    "value.owner = weakref.ref(key)",
                    WEAK)));
    /** A suspended generator or coroutine keeps its variables. */
    public static final Cause GENERATOR_SUSPENDED = new Cause(
            "generator",
            "suspended generators or coroutines keep their variables",
            "A generator that is not read to its end, or a coroutine that waits, keeps all its variables.",
            List.of(new Remedy(
                    "End it: generator.close() when nobody reads on, task.cancel() for a task; and remove it from where it is kept.",
                    "Its variables are then freed.",
                    "kept.append(stream)",
                    "kept.append(stream); ...; kept.remove(stream); stream.close()",
                    GENERATOR)));
    /** A small view keeps a large tensor. */
    public static final Cause VIEW = new Cause(
            "view_keeps_storage",
            "a small part of a tensor keeps all of it",
            "What is kept is a view, such as a slice, and a view keeps the whole tensor that it is a part of.",
            List.of(new Remedy(
                    "Copy the part that is kept: .clone().",
                    "A view keeps the whole tensor that it is a part of.",
                    "kept.append(x[0])",
                    "kept.append(x[0].clone())",
                    VIEWS)));
    /** Autocast keeps low-precision copies of weights. */
    public static final Cause AUTOCAST_CACHE = new Cause(
            "autocast_cache",
            "autocast keeps low-precision copies of weights",
            "torch.autocast caches the copy of each weight until its outermost block ends, also of weights that are made anew.",
            List.of(new Remedy(
                    "Enter autocast in each step instead of around the loop.",
                    "The cache is emptied at the end of the block.",
                    "with torch.autocast('cuda'):",
                    "with torch.autocast('cuda', cache_enabled=False):",
                    AUTOCAST)));
    /** A metric collects and is not reset. */
    public static final Cause METRIC = new Cause(
            "metric_not_reset",
            "a metric keeps what it was updated with",
            "Metrics that need all predictions, such as exact curves, collect them until reset() is called.",
            List.of(
                    new Remedy(
                            "Call metric.reset() after compute(), once an epoch.",
                            "It drops what was collected.",
                            "value = metric.compute()",
                            "value = metric.compute(); metric.reset()",
                            METRICS),
                    new Remedy(
                            "Use the binned variant of the metric, or keep its state in CPU memory.",
                            "With thresholds=100 the state has a constant size; compute_on_cpu=True moves lists to CPU memory.",
                            "BinaryAUROC()",
                            "BinaryAUROC(thresholds=100)",
                            METRICS)));
    /** Adapters are added and never deleted. */
    public static final Cause ADAPTERS = new Cause(
            "adapters_kept",
            "adapters are added to a model and never deleted",
            "add_adapter and load_adapter add weights to the model, which stay until delete_adapter.",
            List.of(new Remedy(
                    "Delete the adapter when it is no longer needed: model.delete_adapter(name).",
                    "Its weights are then freed; others stay.",
                    "model.load_adapter(path, name)",
                    "model.load_adapter(path, name); ...; model.delete_adapter(name)",
                    ADAPTER)));
    /** A trainer gathers predictions on the device. */
    public static final Cause EVALUATION = new Cause(
            "kept_in_container",
            "the trainer gathers all predictions of an evaluation on the GPU",
            "Without eval_accumulation_steps, Trainer moves predictions to CPU memory only at the end of the evaluation.",
            List.of(new Remedy(
                    "Set eval_accumulation_steps in TrainingArguments.",
                    "Predictions are then moved to CPU memory after so many batches.",
                    "TrainingArguments(...)",
                    "TrainingArguments(..., eval_accumulation_steps=16)",
                    TRAINER)));
    /** A tensor is made longer at each step. */
    public static final Cause APPENDED = new Cause(
            "appended_tensor",
            "a tensor is replaced by a longer one at every step",
            "Each step makes a longer copy and frees the shorter one: something is appended to a tensor that is never truncated.",
            List.of(new Remedy(
                    "Keep only the last part, or start over each epoch.",
                    "The tensor then stops growing; while it grows, old and new are held together for a moment.",
                    "bank = torch.cat([bank, new])",
                    "bank = torch.cat([bank, new])[-4096:].clone()",
                    FAQ)));
    /** A module appends to a tensor. */
    public static final Cause MODULE_CACHE = new Cause(
            "unbounded_cache",
            "a module replaces a tensor by a longer one at every step",
            "Each call makes a longer copy and frees the shorter one, as a cache of keys and values does whose sequence never ends.",
            List.of(new Remedy(
                    "Bound it to a window of the last entries, or reset it when its sequence ends.",
                    "The tensor then stops growing; while it grows, old and new are held together for a moment.",
                    "self.keys = torch.cat([self.keys, k], 1)",
                    "self.keys = torch.cat([self.keys, k], 1)[:, -4096:].clone()",
                    FAQ)));
    /** A queue grows. */
    public static final Cause BACKLOG = new Cause(
            "backlog",
            "it is produced faster than it is consumed",
            "Each block is freed after a while, the oldest first, but more are added than removed: a queue whose producer is faster than its consumer.",
            List.of(new Remedy(
                    "Give the queue a limit, so that the producer waits.",
                    "The backlog then stays as long as the limit.",
                    "batches = queue.Queue()",
                    "batches = queue.Queue(maxsize=4)",
                    QUEUE)));
    /** Objects that point at each other. */
    public static final Cause CYCLE = new Cause(
            "reference_cycle",
            "reference cycles wait for the garbage collector",
            "Objects that refer to each other, perhaps through a closure, a bound method or a traceback, hold it; Python frees such"
                    + " a cycle only when its garbage collector runs, and the collector knows nothing of GPU memory.",
            List.of(new Remedy(
                    "Break the cycle: refer back with a weak reference, or clear the reference when the work is done.",
                    "Then reference counting frees the memory at once.",
                    "child.parent = self",
                    "child.parent = weakref.proxy(self)",
                    CYCLES)));

    private static final List<Cause> ALL = List.of(
            GRAPH_KEPT,
            NO_GRAD_MISSING,
            GRAPH_RETAINED,
            EXCEPTION,
            HOOKS_PILE_UP,
            HOOK,
            MODELS,
            OPTIMIZER,
            CONTAINER,
            RESULTS_KEPT,
            CACHE_GROWS,
            MEMO_GROWS,
            WEAK_KEYS,
            GENERATOR_SUSPENDED,
            VIEW,
            METRIC,
            BACKLOG,
            CYCLE);

    /** Causes that only recordings tell. */
    private static final List<Cause> OF_RECORDINGS = List.of(
            HOOKS_KEEP,
            CHECKPOINTS,
            BACKWARD,
            GRADIENTS_GROW,
            GRADIENT_GRAPHS,
            HOST_COPIES,
            ADAPTERS,
            EVALUATION,
            APPENDED,
            MODULE_CACHE,
            AUTOCAST_CACHE);

    /** Causes that only sources tell. */
    private static final List<Cause> OF_SOURCES = List.of(
            STEP_HOOKS,
            MEMO_OBJECTS,
            LOG_RECORDS,
            REGISTERED,
            TASKS,
            GRADIENT_CYCLES,
            GRAPH_CARRIED,
            EPOCH_OUTPUTS,
            FINALIZER,
            CONTEXT_CYCLE,
            COLLECTOR_OFF);

    /** Models that are kept, perhaps with their gradients and the state of their optimizers. */
    public static Cause models(boolean hasGradients, boolean hasState) {
        String parts = Stream.of(hasGradients ? "their gradients" : "", hasState ? "the state of their optimizers" : "")
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining(" and "));
        String text = MODELS.text.replaceFirst("\\.$", parts.isEmpty() ? "." : " with " + parts + ".");
        return new Cause(MODELS.id, MODELS.title, text, MODELS.remedies);
    }

    /** Whether an example names something that stands for what keeps the memory, whatever that is called in a program. */
    public static boolean hasPlaceholder(String example) {
        return KEPT.matcher(example).find();
    }

    /** Whether it says no more than that something keeps the memory. */
    public boolean isGeneral() {
        return equals(CONTAINER) || equals(RESULTS_KEPT) || equals(CACHE_GROWS) || equals(HOST_COPIES);
    }

    /** Whether it leaves open who keeps the memory: it says at most what is kept. */
    public boolean isWithoutHolder() {
        return isGeneral() || isOfObjects() || id.equals(GRAPH_KEPT.id);
    }

    /** Whether it says which objects stay, whoever keeps them. */
    public boolean isOfObjects() {
        return equals(MODELS) || equals(CHECKPOINTS) || equals(GRADIENT_GRAPHS);
    }

    /** Whether it says what the memory is, whoever keeps it. */
    public boolean isOfAllocation() {
        return equals(BACKWARD);
    }

    /** The cause that a finding's title tells; empty where that is none of a leak's. */
    public static Optional<Cause> told(String title) {
        return Stream.of(ALL, OF_RECORDINGS, OF_SOURCES)
                .flatMap(List::stream)
                .filter(cause -> title.endsWith(cause.title))
                .findFirst();
    }

    /** The cause that a holder dump gives by its id; empty where it is none of those. */
    public static Optional<Cause> ofHolders(@Nullable String id) {
        return ALL.stream().filter(cause -> cause.id.equals(id)).findFirst();
    }

    /** It with the name of what keeps the memory in its remedies. */
    Cause named(String name) {
        return new Cause(
                id,
                title,
                text,
                remedies.stream().map(remedy -> remedy.named(name)).toList());
    }

    /** It where the line that keeps the memory is known: what is added there is to be moved, before its container is bounded. */
    public Cause inSource() {
        return equals(CONTAINER) ? new Cause(id, title, text, List.of(TO_HOST, BOUND)) : this;
    }

    /**
     * The remedies as advice; on the host, moving tensors to CPU memory does not help.
     *
     * @param bytes what they give back
     * @param limit entries that a collection may keep
     */
    public List<Advice> advice(long bytes, int limit, boolean isHost) {
        return remedies.stream()
                .filter(remedy -> !isHost || !remedy.equals(TO_HOST))
                .map(remedy -> remedy.advice(bytes, limit))
                .toList();
    }
}
