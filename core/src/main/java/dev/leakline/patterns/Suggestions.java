package dev.leakline.patterns;

import java.util.List;

/** What to do about patterns and insights. */
final class Suggestions {
    static final List<String> FRAGMENTATION = List.of(
            "Set expandable_segments:True in PYTORCH_CUDA_ALLOC_CONF: segments then grow instead of leaving gaps.",
            "Allocate what lives long before what comes and goes.",
            "Give tensors that change size the largest size once, and take views of it.",
            "Call torch.cuda.empty_cache() between phases, not within steps.");
    static final List<String> INEFFICIENCY = List.of(
            "Look at what is alive when the peak is reached, and drop it earlier.",
            "Work in place where autograd allows it.",
            "Convert and move in one step, so that there are never two copies.",
            "Take views instead of copies.");
    static final List<String> SPIKES = List.of(
            "Compare the inputs of the calls that stand out with those of the others.",
            "Split large inputs: the largest one decides how much memory the job needs.",
            "Trade time for memory with torch.utils.checkpoint.",
            "Record a snapshot around such a call: leakline report names the lines.");
    static final List<String> REPETITION = List.of(
            "Allocate once before the loop, and fill it again in each call.",
            "Put several small operations into one call.",
            "Keep what does not change from call to call.");
    static final List<String> SLOW = List.of(
            "Record a trace of such a call with torch.profiler.",
            "Look for .item(), .cpu() and print, which wait for the GPU.",
            "Look for copies between host and device that could be made once, or without waiting.");
    static final List<String> UNSTEADY = List.of(
            "Leave the first calls out of measurements: they compile, tune and allocate.",
            "Compare the inputs of slow and fast calls.",
            "Look for other jobs on the same GPU, and for data that is not there in time.");
    static final List<String> INTENSIVE = List.of(
            "Use smaller types there, such as torch.bfloat16 under autocast.",
            "Work through it in parts, or with gradients accumulated over smaller batches.",
            "Trade time for memory with torch.utils.checkpoint.");
    static final List<String> CORRELATED = List.of(
            "Look at the inputs first: larger ones need both more time and more memory.",
            "If calls of equal inputs differ, allocate before the loop instead of within.");
    static final List<String> TREND = List.of(
            "Record a snapshot over fifty steps: leakline report names the line that keeps memory.",
            "Look for lists and dicts that live as long as the job and hold tensors.",
            "Call .item() or .detach() on what is kept for statistics.");
    static final List<String> GAP_SPIKE = List.of(
            "Look for what takes memory past PyTorch at that time: NCCL, cuDNN and cuBLAS workspaces, other libraries, other processes.",
            "Compare with nvidia-smi's list of processes at that time: leakline ps shows it.",
            "Switch torch.backends.cudnn.benchmark off: trying out kernels needs workspaces.");
    static final List<String> GAP_DRIFT = List.of(
            "Look for libraries that allocate past PyTorch and do not free, such as custom kernels, codecs or other frameworks.",
            "Compare with nvidia-smi's list of processes: it may be another process that grows.",
            "If it stops after the first steps, it is the context and the kernels that load.");

    private Suggestions() {}

    static List<String> leak(String function) {
        return List.of(
                "Look at what " + Words.quoted(function)
                        + " puts into lists, dicts and attributes that outlive the call.",
                "Call .item() or .detach() on what is kept for statistics, such as losses.",
                "Record a snapshot over fifty steps: leakline report names the line that keeps memory.");
    }
}
