package dev.leakline.functions;

import dev.leakline.known.RecordingAdvice;
import dev.leakline.result.Finding.Advice;
import java.util.List;

/**
 * A suggestion for a pattern or an insight.
 *
 * @param action what, as an order
 * @param why what it changes
 * @param isRemedy whether it gives memory back, as distinct from finding out more
 */
public record Suggestion(String action, String why, boolean isRemedy) {
    Suggestion(String action, String why) {
        this(action, why, true);
    }

    public static final List<Suggestion> FRAGMENTATION = List.of(
            new Suggestion(
                    "Set expandable_segments:True in PYTORCH_CUDA_ALLOC_CONF.",
                    "Segments then grow instead of leaving gaps."),
            new Suggestion(
                    "Allocate long-lived tensors before short-lived ones.", "They then do not split large blocks."),
            new Suggestion(
                    "Allocate tensors of varying size once with the largest size, and use views of them.",
                    "Blocks of one size can be reused."),
            new Suggestion(
                    "Call torch.cuda.empty_cache() between phases, not within steps.",
                    "Only completely free segments are returned to the driver."));
    public static final List<Suggestion> INEFFICIENCY = List.of(
            new Suggestion(
                    "Convert and move in one step, as in tensor.to(device, dtype).",
                    "Then the device never holds two copies."),
            new Suggestion(
                    "Free tensors before allocating the next ones.",
                    "The peak is the sum of everything live at the same time."),
            new Suggestion("Load large models part by part.", "Then only one part exists twice."));
    public static final List<Suggestion> SPIKES = List.of(
            new Suggestion(
                    "Compare the inputs of these calls with those of the others.",
                    "The usual reason is a longer sequence or a larger batch."),
            new Suggestion("Cap large inputs, or process them in parts.", "The largest input sets the peak."),
            new Suggestion(
                    "Use torch.utils.checkpoint there.",
                    "It saves less for the backward pass and recomputes the rest."));
    public static final List<Suggestion> REPETITION = List.of(
            new Suggestion(
                    "Allocate once before the loop, and refill it in each call.",
                    "Then nothing is allocated in the loop."),
            new Suggestion("Combine several small operations into one.", "Fewer allocations do the same work."),
            new Suggestion("Reuse results that do not change from call to call.", "They need not be computed again."));
    static final List<Suggestion> DRIVER = List.of(
            new Suggestion(
                    "Call torch.cuda.empty_cache() less often.",
                    "It returns memory that the next call requests again."),
            new Suggestion(
                    "If the allocator empties its cache because memory is short, leave it more room, or set expandable_segments:True.",
                    "Returning memory waits for all work on the device."));
    static final List<Suggestion> SLOW = List.of(
            new Suggestion("Record a trace of such a call with torch.profiler.", "It shows where the time goes."),
            new Suggestion("Look for .item(), .cpu() and print.", "They wait for the GPU."),
            new Suggestion("Look for copies between host and device.", "They could be done once, or asynchronously."));
    static final List<Suggestion> UNSTEADY = List.of(
            new Suggestion("Compare the inputs of slow and fast calls.", "Larger inputs take longer."),
            new Suggestion(
                    "Look for other jobs on the same GPU, and for slow data loading.",
                    "Both change the time of equal calls."),
            new Suggestion("Leave out the first calls when measuring.", "They compile, tune and allocate."));
    static final List<Suggestion> INTENSIVE = List.of(
            new Suggestion(
                    "Use smaller types there, such as torch.bfloat16 under autocast.", "They use half the memory."),
            new Suggestion("Process it in parts, or accumulate gradients.", "Less is live at the same time."),
            new Suggestion(
                    "Use torch.utils.checkpoint there.",
                    "It saves less for the backward pass and recomputes the rest."));
    static final List<Suggestion> CORRELATED = List.of(
            new Suggestion("Look at the inputs first.", "Larger ones need both more time and more memory."),
            new Suggestion(
                    "If calls of equal inputs differ, allocate before the loop.",
                    "The time may be spent on requests to the driver."));
    static final List<Suggestion> TREND = List.of(
            record("which line keeps memory"),
            new Suggestion(
                    "Look for lists and dicts that live as long as the job and hold tensors.",
                    "They keep every tensor that was ever added."),
            detach());
    public static final List<Suggestion> GAP_SPIKE = List.of(
            new Suggestion(
                    "Look for memory allocated outside of PyTorch at that time.",
                    "Candidates: NCCL, cuDNN and cuBLAS workspaces, other libraries, other processes."),
            new Suggestion("Compare with leakline ps at that time.", "It lists the processes on each GPU."),
            new Suggestion("Switch torch.backends.cudnn.benchmark off.", "Benchmarking kernels allocates workspaces."));
    public static final List<Suggestion> GAP_DRIFT = List.of(
            new Suggestion(
                    "Look for libraries that allocate outside of PyTorch and do not free.",
                    "Candidates: custom kernels, codecs, other frameworks."),
            new Suggestion("Compare with leakline ps.", "Another process may grow."),
            new Suggestion(
                    "Check whether it stops after the first steps.",
                    "Then it is the CUDA context and the loading of kernels."));

    /** Suggestions for calls of a function that keep memory. */
    public static List<Suggestion> leak(String function) {
        return List.of(
                record("which line of " + FunctionNames.quoted(function) + " keeps it"),
                new Suggestion(
                        "Look at what " + FunctionNames.quoted(function) + " puts into lists, dicts and attributes.",
                        "Anything that outlives the call keeps every tensor ever added to it."),
                detach());
    }

    /** Suggestions for memory that grows after calls of a function. */
    static List<Suggestion> leakBetween(String function) {
        return List.of(
                record("which line keeps it"),
                new Suggestion(
                        "Check what happens to the results of " + FunctionNames.quoted(function) + ".",
                        "Memory grows in unprofiled code after this function returns."),
                detach());
    }

    private static Suggestion record(String what) {
        return new Suggestion(
                "Record fifty steps with " + RecordingAdvice.CALL + ", and look at the snapshot.",
                "It shows " + what + "; counters cannot.",
                false);
    }

    private static Suggestion detach() {
        return new Suggestion(
                "Call .item() or .detach() on values kept for statistics, such as losses.",
                "A tensor that autograd made holds on to everything it was computed from.");
    }

    /** Each in one text. */
    public static List<String> texts(List<Suggestion> suggestions) {
        return suggestions.stream()
                .map(suggestion -> suggestion.action + " " + suggestion.why)
                .toList();
    }

    /** Each as advice; remedies should give back so much. */
    static List<Advice> advice(List<Suggestion> suggestions, long bytes) {
        return suggestions.stream()
                .map(suggestion -> Advice.of(suggestion.action, suggestion.why, suggestion.isRemedy ? bytes : 0))
                .toList();
    }
}
