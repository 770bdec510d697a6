package dev.leakline.known;

import dev.leakline.result.Finding.Advice;
import java.util.List;
import java.util.Optional;
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
    /** Results with their autograd graphs are kept. */
    public static final Cause GRAPH_KEPT = CauseBook.ALL.cause("GRAPH_KEPT");
    /** Results with their autograd graphs are kept, and no backward pass runs. */
    public static final Cause NO_GRAD_MISSING = CauseBook.ALL.cause("NO_GRAD_MISSING");
    /** Values are carried from step to step with their graphs, and no backward pass runs. */
    public static final Cause GRAPH_CARRIED = CauseBook.ALL.cause("GRAPH_CARRIED");
    /** A graph is kept because a backward pass is told not to free it. */
    public static final Cause GRAPH_RETAINED = CauseBook.ALL.cause("GRAPH_RETAINED");
    /** An exception keeps the frames it came through. */
    public static final Cause EXCEPTION = CauseBook.ALL.cause("EXCEPTION");
    /** A hook stores what it sees. */
    public static final Cause HOOK = CauseBook.ALL.cause("HOOK");
    /** A hook is registered again and again. */
    public static final Cause HOOKS_PILE_UP = CauseBook.ALL.cause("HOOKS_PILE_UP");
    /** Hooks that pile up keep tensors which others made. */
    public static final Cause HOOKS_KEEP = CauseBook.ALL.cause("HOOKS_KEEP");
    /** Hooks that steps register stay. */
    public static final Cause STEP_HOOKS = CauseBook.ALL.cause("STEP_HOOKS");
    /** Copies of the model are kept. */
    public static final Cause CHECKPOINTS = CauseBook.ALL.cause("CHECKPOINTS");
    /** Models are made again and again, and kept. */
    public static final Cause MODELS = CauseBook.ALL.cause("MODELS");
    /** An optimizer is made again while the old one is kept. */
    public static final Cause OPTIMIZER = CauseBook.ALL.cause("OPTIMIZER");
    /** Gradients are kept. */
    public static final Cause BACKWARD = CauseBook.ALL.cause("BACKWARD");
    /** Gradients grow because nothing clears them. */
    public static final Cause GRADIENTS_GROW = CauseBook.ALL.cause("GRADIENTS_GROW");
    /** Gradients that can be differentiated again are kept. */
    public static final Cause GRADIENT_GRAPHS = CauseBook.ALL.cause("GRADIENT_GRAPHS");
    /** Gradients that can be differentiated again are tied to their parameters. */
    public static final Cause GRADIENT_CYCLES = CauseBook.ALL.cause("GRADIENT_CYCLES");
    /** A container holds it. */
    public static final Cause CONTAINER = CauseBook.ALL.cause("CONTAINER");
    /** A container holds it, and the lines that are at hand do not show which. */
    public static final Cause UNSEEN = CauseBook.ALL.cause("UNSEEN");
    /** Outputs that are read at the end of an epoch are kept. */
    public static final Cause EPOCH_OUTPUTS = CauseBook.ALL.cause("EPOCH_OUTPUTS");
    /** Each object keeps the one before it. */
    public static final Cause CHAIN = CauseBook.ALL.cause("CHAIN");
    /** Attributes whose names change keep it. */
    public static final Cause ATTRIBUTES = CauseBook.ALL.cause("ATTRIBUTES");
    /** A removal finds nothing to remove. */
    public static final Cause UNMATCHED = CauseBook.ALL.cause("UNMATCHED");
    /** Parameters are added to an optimizer again and again. */
    public static final Cause PARAM_GROUPS = CauseBook.ALL.cause("PARAM_GROUPS");
    /** A finalizer holds its object. */
    public static final Cause FINALIZER = CauseBook.ALL.cause("FINALIZER");
    /** The context of an autograd function keeps its output. */
    public static final Cause CONTEXT_CYCLE = CauseBook.ALL.cause("CONTEXT_CYCLE");
    /** The garbage collector is switched off. */
    public static final Cause COLLECTOR_OFF = CauseBook.ALL.cause("COLLECTOR_OFF");
    /** Results are kept whose graph a backward pass has freed. */
    public static final Cause RESULTS_KEPT = CauseBook.ALL.cause("RESULTS_KEPT");
    /** Tensors in CPU memory are kept. */
    public static final Cause HOST_COPIES = CauseBook.ALL.cause("HOST_COPIES");
    /** A cache has no limit. */
    public static final Cause CACHE_GROWS = CauseBook.ALL.cause("CACHE_GROWS");
    /** A memoized function has no limit. */
    public static final Cause MEMO_GROWS = CauseBook.ALL.cause("MEMO_GROWS");
    /** A memoized method keeps its objects. */
    public static final Cause MEMO_OBJECTS = CauseBook.ALL.cause("MEMO_OBJECTS");
    /** Something is registered and keeps what it refers to. */
    public static final Cause REGISTERED = CauseBook.ALL.cause("REGISTERED");
    /** Tasks that have ended are kept. */
    public static final Cause TASKS = CauseBook.ALL.cause("TASKS");
    /** Log records keep tensors. */
    public static final Cause LOG_RECORDS = CauseBook.ALL.cause("LOG_RECORDS");
    /** The values of a weak dictionary refer to its keys. */
    public static final Cause WEAK_KEYS = CauseBook.ALL.cause("WEAK_KEYS");
    /** A suspended generator or coroutine keeps its variables. */
    public static final Cause GENERATOR_SUSPENDED = CauseBook.ALL.cause("GENERATOR_SUSPENDED");
    /** A small view keeps a large tensor. */
    public static final Cause VIEW = CauseBook.ALL.cause("VIEW");
    /** Autocast keeps low-precision copies of weights. */
    public static final Cause AUTOCAST_CACHE = CauseBook.ALL.cause("AUTOCAST_CACHE");
    /** A metric collects and is not reset. */
    public static final Cause METRIC = CauseBook.ALL.cause("METRIC");
    /** Adapters are added and never deleted. */
    public static final Cause ADAPTERS = CauseBook.ALL.cause("ADAPTERS");
    /** A trainer gathers predictions on the device. */
    public static final Cause EVALUATION = CauseBook.ALL.cause("EVALUATION");
    /** A tensor is made longer at each step. */
    public static final Cause APPENDED = CauseBook.ALL.cause("APPENDED");
    /** A module appends to a tensor. */
    public static final Cause MODULE_CACHE = CauseBook.ALL.cause("MODULE_CACHE");
    /** A queue grows. */
    public static final Cause BACKLOG = CauseBook.ALL.cause("BACKLOG");
    /** Objects that point at each other. */
    public static final Cause CYCLE = CauseBook.ALL.cause("CYCLE");

    private static final Remedy TO_HOST = CauseBook.ALL.remedies("TO_HOST").getFirst();

    /** Models that are kept, perhaps with their gradients and the state of their optimizers. */
    public static Cause models(boolean hasGradients, boolean hasState) {
        String parts = Stream.of(hasGradients ? "their gradients" : "", hasState ? "the state of their optimizers" : "")
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining(" and "));
        String text = MODELS.text.replaceFirst("\\.$", parts.isEmpty() ? "." : " with " + parts + ".");
        return new Cause(MODELS.id, MODELS.title, text, MODELS.remedies);
    }

    /** Returns whether it says no more than that something keeps the memory. */
    public boolean isGeneral() {
        return equals(CONTAINER) || equals(RESULTS_KEPT) || equals(CACHE_GROWS) || equals(HOST_COPIES);
    }

    /** Returns whether it leaves open who keeps the memory: it says at most what is kept. */
    public boolean isWithoutHolder() {
        return isGeneral() || isOfObjects() || id.equals(GRAPH_KEPT.id);
    }

    /** Returns whether it says which objects stay, whoever keeps them. */
    public boolean isOfObjects() {
        return equals(MODELS) || equals(CHECKPOINTS) || equals(GRADIENT_GRAPHS);
    }

    /** Returns whether it says what the memory is, whoever keeps it. */
    public boolean isOfAllocation() {
        return equals(BACKWARD);
    }

    /** The cause of a name in {@code causes.txt}. */
    public static Cause named(String name) {
        return CauseBook.ALL.cause(name);
    }

    /** The cause that a finding's title tells; empty where that is none of a leak's. */
    public static Optional<Cause> told(String title) {
        return CauseBook.ALL.first(cause -> title.endsWith(cause.title));
    }

    /** The cause that a holder dump gives by its id; empty where it is none of those. */
    public static Optional<Cause> ofHolders(@Nullable String id) {
        return id == null ? Optional.empty() : CauseBook.ALL.ofDumps(id);
    }

    /** It where the line that keeps the memory is known: what is added there is to be moved, before its container is bounded. */
    public Cause inSource() {
        return equals(CONTAINER) ? new Cause(id, title, text, RESULTS_KEPT.remedies) : this;
    }

    /**
     * The remedies as advice; on the host, moving tensors to CPU memory does not help.
     *
     * @param bytes what they give back
     */
    public List<Advice> advice(long bytes, boolean isHost) {
        return remedies.stream()
                .filter(remedy -> !isHost || !remedy.equals(TO_HOST))
                .map(remedy -> remedy.advice(bytes))
                .toList();
    }
}
