package dev.leakline.known;

import java.util.List;

/**
 * A known cause of memory that is not freed.
 *
 * @param id its name in reports
 * @param title what goes on, in a few words
 * @param text the same in a sentence
 * @param remedies what to do, the best first
 */
public record Cause(String id, String title, String text, List<Remedy> remedies) {
    /** Where PyTorch explains what must not be kept. */
    private static final String FAQ = "https://docs.pytorch.org/docs/stable/notes/faq.html";

    private static final String AUTOGRAD = "https://docs.pytorch.org/docs/stable/notes/autograd.html";
    private static final String HOOKS = "https://docs.pytorch.org/docs/stable/generated/torch.nn.Module.html";
    private static final String VIEWS = "https://docs.pytorch.org/docs/stable/tensor_view.html";
    private static final String CYCLES = "https://docs.pytorch.org/docs/stable/torch_cuda_memory.html";
    private static final String TRACEBACK = "https://docs.python.org/3/library/traceback.html";

    /**
     * A remedy for a cause.
     *
     * @param action what, as an order
     * @param why what it changes
     * @param before a line as it is likely to be, in Python
     * @param after the line as it should be
     * @param link where this is explained
     */
    public record Remedy(String action, String why, String before, String after, String link) {}

    private static final Remedy DETACH = new Remedy(
            "Keep a number or a detached copy instead of the tensor.",
            "A tensor that autograd made holds on to everything it was computed from; a number does not.",
            "total += loss",
            "total += loss.item()",
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
            "kept.append(x)",
            "kept = collections.deque(maxlen=100)",
            FAQ);
    private static final Remedy TO_HOST = new Remedy(
            "Move kept tensors to CPU memory.",
            "The GPU memory is then freed.",
            "kept.append(x)",
            "kept.append(x.detach().cpu())",
            FAQ);
    private static final Remedy CLONE = new Remedy(
            "If only a part of a tensor is kept, such as a slice, copy the part.",
            "A view keeps the whole tensor that it is a part of.",
            "logs.append(z.detach()[::10])",
            "logs.append(z.detach()[::10].clone())",
            VIEWS);

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
            List.of(NO_GRAD, DETACH));
    /** An exception keeps the frames it came through. */
    public static final Cause EXCEPTION = new Cause(
            "exception_traceback",
            "a kept exception holds the frames of its traceback",
            "It stays in exactly those steps in which the function is left early. The traceback of an exception holds every"
                    + " variable of the functions that it passed through.",
            List.of(new Remedy(
                    "Keep the exception's text, or drop its traceback.",
                    "The traceback holds the frames, and the frames hold the tensors.",
                    "failures.append(error)",
                    "failures.append(repr(error))",
                    TRACEBACK)));
    /** A hook stores what it sees. */
    public static final Cause HOOK = new Cause(
            "hook",
            "a hook keeps tensors",
            "It is allocated in a hook that a module calls.",
            List.of(
                    new Remedy(
                            "Remove the hook when it is no longer needed, and register it once.",
                            "Each registration adds another hook; all of them run at every call.",
                            "layer.register_forward_hook(watch)",
                            "handle = layer.register_forward_hook(watch); ...; handle.remove()",
                            HOOKS),
                    BOUND));
    /** Copies of the model are kept. */
    public static final Cause CHECKPOINTS = new Cause(
            "checkpoints_kept",
            "copies of the model's state are kept",
            "Whole copies of a model's state are made on the GPU, and none is freed.",
            List.of(new Remedy(
                    "Keep copies in CPU memory or on disk, and only the best.",
                    "Each copy is as large as the model.",
                    "best.append(copy.deepcopy(model.state_dict()))",
                    "best = {k: v.cpu() for k, v in model.state_dict().items()}",
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
            "results of backward passes are kept",
            "It is allocated by backward passes and stays: gradients that are kept, or graphs of gradients (create_graph, retain_graph).",
            List.of(new Remedy(
                    "Set gradients to None after each step, and keep neither them nor their graphs.",
                    "retain_graph=True and create_graph=True keep what a backward pass would have freed.",
                    "loss.backward(retain_graph=True)",
                    "loss.backward()",
                    FAQ)));
    /** A container holds it. */
    public static final Cause CONTAINER = new Cause(
            "kept_in_container",
            "something that outlives the step keeps it",
            "Typical holders are a list, a dict used as a cache, an attribute and a closure.",
            List.of(BOUND, TO_HOST, CLONE));
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
    /** A queue grows. */
    public static final Cause BACKLOG = new Cause(
            "backlog",
            "it is produced faster than it is consumed",
            "Each block is freed after a while, but more are added than removed: probably a queue whose producer is faster than its consumer.",
            List.of(new Remedy(
                    "Give the queue a limit, so that the producer waits.",
                    "The backlog then stays as long as the limit.",
                    "batches = queue.Queue()",
                    "batches = queue.Queue(maxsize=4)",
                    "https://docs.python.org/3/library/queue.html")));
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
}
