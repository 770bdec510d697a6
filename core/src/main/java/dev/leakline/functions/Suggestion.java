package dev.leakline.functions;

import dev.leakline.known.RecordingAdvice;
import dev.leakline.result.Finding.Advice;
import java.util.List;

/**
 * Something to do about a pattern or an insight.
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
                    "Segments then grow, instead of leaving gaps that nothing fits."),
            new Suggestion(
                    "Allocate what lives long before what comes and goes.", "It then does not split large blocks."),
            new Suggestion(
                    "Give tensors whose size changes the largest size once, and take views of it.",
                    "Blocks of one size are used again as they are."),
            new Suggestion(
                    "Call torch.cuda.empty_cache() between phases, not within steps.",
                    "Only segments that are free as a whole go back."));
    public static final List<Suggestion> INEFFICIENCY = List.of(
            new Suggestion(
                    "Convert and move in one step, as in tensor.to(device, dtype).",
                    "There are never two copies on the device."),
            new Suggestion(
                    "Drop what is no longer needed before more is made.", "The peak holds what is alive together."),
            new Suggestion("Load large models part by part.", "Then only one part is there twice."));
    public static final List<Suggestion> SPIKES = List.of(
            new Suggestion(
                    "Compare the inputs of the calls that stand out with those of the others.",
                    "A longer sequence or a larger batch is the usual reason."),
            new Suggestion(
                    "Cap large inputs, or work through them in parts.", "The largest decides what the job needs."),
            new Suggestion(
                    "Use torch.utils.checkpoint where it is taken.",
                    "It keeps less for the backward pass, and computes it again."));
    public static final List<Suggestion> REPETITION = List.of(
            new Suggestion(
                    "Allocate once before the loop, and fill it again in each call.", "Nothing is then allocated."),
            new Suggestion("Put several small operations into one call.", "Fewer allocations do the same work."),
            new Suggestion("Keep what does not change from call to call.", "It need not be made again."));
    static final List<Suggestion> DRIVER = List.of(
            new Suggestion(
                    "Call torch.cuda.empty_cache() less often.",
                    "It returns memory that the next call requests again."),
            new Suggestion(
                    "If the allocator gives it back in its own need, leave it more room, or set expandable_segments:True.",
                    "The driver waits for all that runs on the device."));
    static final List<Suggestion> SLOW = List.of(
            new Suggestion("Record a trace of such a call with torch.profiler.", "It shows where the time goes."),
            new Suggestion("Look for .item(), .cpu() and print.", "They wait for the GPU."),
            new Suggestion("Look for copies between host and device.", "They could be made once, or without waiting."));
    static final List<Suggestion> UNSTEADY = List.of(
            new Suggestion("Compare the inputs of slow and fast calls.", "Larger inputs take longer."),
            new Suggestion(
                    "Look for other jobs on the same GPU, and for data that is not there in time.",
                    "Both make equal calls differ."),
            new Suggestion("Leave the first calls out of measurements.", "They compile, tune and allocate."));
    static final List<Suggestion> INTENSIVE = List.of(
            new Suggestion(
                    "Use smaller types there, such as torch.bfloat16 under autocast.", "They take half as much."),
            new Suggestion("Work through it in parts, or accumulate gradients.", "Less is alive at a time."),
            new Suggestion(
                    "Use torch.utils.checkpoint there.",
                    "It keeps less for the backward pass, and computes it again."));
    static final List<Suggestion> CORRELATED = List.of(
            new Suggestion("Look at the inputs first.", "Larger ones need both more time and more memory."),
            new Suggestion(
                    "If calls of equal inputs differ, allocate before the loop.",
                    "The time may be that of asking the driver for memory."));
    static final List<Suggestion> TREND = List.of(
            record("which line keeps memory"),
            new Suggestion(
                    "Look for lists and dicts that live as long as the job and hold tensors.",
                    "They keep every tensor that was ever put in."),
            detach());
    public static final List<Suggestion> GAP_SPIKE = List.of(
            new Suggestion(
                    "Look for what takes memory past PyTorch at that time.",
                    "NCCL, workspaces of cuDNN and cuBLAS, other libraries and other processes do."),
            new Suggestion("Compare with leakline ps at that time.", "It lists the processes on each GPU."),
            new Suggestion("Switch torch.backends.cudnn.benchmark off.", "To try out kernels takes workspaces."));
    public static final List<Suggestion> GAP_DRIFT = List.of(
            new Suggestion(
                    "Look for libraries that allocate past PyTorch and do not free.",
                    "Custom kernels, codecs and other frameworks do."),
            new Suggestion("Compare with leakline ps.", "It may be another process that grows."),
            new Suggestion(
                    "See whether it stops after the first steps.", "Then it is the context, and kernels that load."));

    /** What to do about calls of a function that keep memory. */
    public static List<Suggestion> leak(String function) {
        return List.of(
                record("which line of " + FunctionNames.quoted(function) + " keeps it"),
                new Suggestion(
                        "Look at what " + FunctionNames.quoted(function) + " puts into lists, dicts and attributes.",
                        "What outlives the call keeps every tensor that was ever put in."),
                detach());
    }

    /** What to do about memory that grows after calls of a function. */
    static List<Suggestion> leakBetween(String function) {
        return List.of(
                record("which line keeps it"),
                new Suggestion(
                        "Look at what becomes of the results of " + FunctionNames.quoted(function) + ".",
                        "It grows in code that nobody profiled, after that function returns."),
                detach());
    }

    private static Suggestion record(String what) {
        return new Suggestion(
                "Record fifty steps with " + RecordingAdvice.CALL + ", and give the snapshot to leakline report.",
                "It tells " + what + ", which counters cannot.",
                false);
    }

    private static Suggestion detach() {
        return new Suggestion(
                "Call .item() or .detach() on what is kept for statistics, such as losses.",
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
