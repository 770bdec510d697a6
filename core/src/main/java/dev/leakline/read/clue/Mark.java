package dev.leakline.read.clue;

import dev.leakline.result.Conclusion.Resource;
import dev.leakline.source.Clue.Kind;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Words that tell what a program does, or what happened to it, as data.
 *
 * @param kind what they tell
 * @param resource the memory that they are about; null where they do not say
 * @param words the words
 */
record Mark(Kind kind, @Nullable Resource resource, Pattern words) {
    /** Plain words in a row before a mark. */
    private static final int MOST_WORDS = 4;

    /** All marks that are looked for in a line. */
    static final List<Mark> ALL = List.of(
            mark(
                    Kind.KILLED,
                    Resource.HOST,
                    "exit(?:s|ed)?(?: with)?(?: return)? ?(?:code|status)\\W{1,12}(?:-9|137)\\b|return ?code\\W{1,3}(?:-9|137)\\b"
                            + "|\\b(?:by|with|signal|received)[\\W\\d]{1,4}sigkill\\b|signal 9\\b|^\\s*killed\\s*$|exitcode\\s*:\\s*-9\\b"),
            mark(
                    Kind.PROBE_FAILED,
                    null,
                    "\\bfailed (?:liveness|startup) probe\\b|\\b(?:liveness|startup) probe failed\\b|\\bfound to be unhealthy\\b.{0,40}\\brestart|\\bhealth ?checks? (?:failed|timed out)\\b.{0,60}\\b(?:kill|restart|stopp)"),
            mark(
                    Kind.ENDED_BY_SCHEDULER,
                    null,
                    "\\bdue to (?:time limit|preemption|node failure)\\b|\\bcancelled by \\d|\\bpreempted\\s*$|\\bterm_(?:runlimit|owner|preempt)\\b"
                            + "|\\bjob killed: walltime\\b|\\bstate\\W{1,3}(?:timeout|preempted|cancelled)\\b"),
            mark(
                    Kind.TIME_OVER,
                    null,
                    "\\bdue to time limit\\b|\\bterm_runlimit\\b|\\bjob killed: walltime\\b|\\bstate\\W{1,3}timeout\\b"),
            mark(Kind.EVICTED, null, "\\blow on resource: (?:ephemeral-storage|inodes|nodefs|imagefs|pids)\\b"),
            mark(Kind.MIG, Resource.DEVICE, "\\bmig devices:|\\bmig-[0-9a-f]{8}|\\bmig [1-7]g\\.\\d+gb|\\bmig-gpu-"),
            mark(
                    Kind.ENDED_BY_ERROR,
                    null,
                    "^\\s*\"?reason\"?:\\s*\"?error\"?,?\\s*$|\"?\\boomkilled\"?[:=]\\s*false\\b"),
            mark(
                    Kind.FINISHED,
                    null,
                    "\\b(?:model|checkpoint|weights|results?) (?:was |were |is |are )?(?:saved|written|exported)\\b|\\bsaved (?:the |final |best )?(?:model|checkpoint|weights|results?)\\b"
                            + "|\\b(?:training|run|job|evaluation|inference) (?:is |has )?(?:done|finished|completed?|ended successfully)\\b|\\bexit(?:ed)?(?: with)?(?: code| status)\\W{1,3}0\\b"),
            mark(
                    Kind.RETRIES_WITH_LESS,
                    null,
                    "\\b(?:retrying|trying again|reloading|falling back)\\b.{0,20}\\b(?:with|to)\\b.{0,12}\\b(?:fewer|less|smaller|reduced|lower)\\b"),
            mark(
                    Kind.SERVES,
                    null,
                    "\\brunner started in \\d|\\bserver is listening\\b|\\bapplication startup complete\\b|\\| +200 +\\||\\bhttp/1\\.[01]\"? 200\\b"),
            mark(Kind.NOBODY_LISTED, Resource.DEVICE, "\\bno running process(?:es)? found\\b"),
            mark(
                    Kind.PHASE,
                    null,
                    "\\b(?:before|after|begin|end|begins|ends)\\b.{0,40}\\b(?:init\\w*|load\\w*|creat\\w*|build\\w*|shard\\w*|wrap\\w*|prepar\\w*|convert\\w*|quantiz\\w*|optimizer|weights?|model)\\b"
                            + "|\\b(?:init\\w*|load\\w*|creat\\w*|build\\w*|shard\\w*|wrap\\w*|prepar\\w*|weights?|model)\\b.{0,40}\\b(?:begin|end|begins|ends|done|finished)\\b"),
            mark(
                    Kind.DECODES_LATENTS,
                    Resource.DEVICE,
                    "\\bvae\\.decode\\(|\\bautoencoder_kl\\w*\\.py|\\bdecode_first_stage\\(|\\bdecode_latents\\(|\\bvae\\.py\\W.{0,20}\\bin (?:decode|forward)\\b"),
            mark(
                    Kind.MAKES_STATE,
                    Resource.DEVICE,
                    "\\bin (?:initialize_optimizer_states|_init_group|_initialize_state)\\b|\\bexp_avg(?:_sq)?\\b.{0,12}= torch\\.zeros"),
            mark(Kind.HIGH_VRAM, Resource.DEVICE, "--highvram\\b|--gpu-only\\b|vram state to: high_vram"),
            mark(
                    Kind.ENGINE_BUILT,
                    Resource.DEVICE,
                    "&&&& passed\\b|\\bengine built in \\d|\\bengine generation completed\\b|\\bcompleted engine generation\\b"),
            mark(Kind.TENSORRT_LLM, null, "\\btensorrt[-_]llm\\b|\\btrtllm\\b"),
            mark(Kind.SGLANG, null, "\\bsglang\\b"),
            mark(Kind.VLLM, null, "\\bvllm\\b"),
            mark(Kind.JAX, null, "\\bjax\\b|\\bxla_python|\\bjaxlib\\b"),
            mark(Kind.CUPY, null, "\\bcupy\\b|\\bmempool\\."),
            mark(Kind.RMM, null, "\\brmm\\b|\\bcudf\\b"),
            mark(Kind.TENSORFLOW, null, "\\btensorflow\\b|\\bkeras\\b|\\btf\\.\\w"),
            mark(Kind.KEEPS_OUTPUTS, null, "\\bin nested_concat\\b"),
            mark(
                    Kind.OFF_THE_BUS,
                    null,
                    "fallen off the bus|\\bxid\\b.{0,40}: (?:74|79|119|120)\\b|gpu is lost|unable to determine the device handle"),
            mark(
                    Kind.DRIVER_MISMATCH,
                    null,
                    "driver/library version mismatch|api mismatch: (?:the client|this)|cuda driver version is insufficient for cuda runtime"),
            mark(
                    Kind.MISSING_LIBRARY,
                    null,
                    "error while loading shared libraries|(?:importerror|oserror): \\S+\\.so[.\\d]*: (?:cannot open shared object file|undefined symbol)"
                            + "|undefined symbol: _z|no kernel image is available|\\bcudaerrornokernelimage|(?:library|binary) not found: \\S*\\.(?:so|dll)"
                            + "|could not load library lib|dll load failed|not compiled with cuda enabled"
                            + "|could not find (?:the )?\\S*(?:cuda|cudart|cublas|cudnn)\\S* (?:binary|library)"),
            mark(
                    Kind.WITHOUT_GPU_BUILD,
                    null,
                    "bitsandbytes was compiled without gpu|cuda setup: (?:required library version not found|defaulting to libbitsandbytes_cpu|cuda detection failed|loading binary \\S*_cpu)"
                            + "|libbitsandbytes_cpu\\.so: undefined symbol|configured cuda binary not found at \\S*libbitsandbytes"),
            mark(
                    Kind.SEGFAULT,
                    null,
                    "\\bsegmentation fault\\b|\\bsegfault at\\b|\\bsigsegv\\b|exit(?:ed)?(?: with)?(?: code| status)\\W{1,3}(?:-11|139)\\b"),
            mark(
                    Kind.DISK_FULL,
                    null,
                    "\\berrno 28\\b|no space left on device|disk quota exceeded|\\berrno 122\\b|enforce fail at inline_container.{0,80}unexpected pos"),
            mark(
                    Kind.TOO_MANY_FILES,
                    null,
                    "\\btoo many open files\\b|\\berrno 24\\b|\\breceived \\d+ items of ancdata\\b"),
            mark(
                    Kind.DEVICE_ASSERT,
                    null,
                    "device-side assert\\b|\\bcudaerrorassert\\b|thread: \\[[\\d, ]+\\] assertion\\b"),
            mark(
                    Kind.ILLEGAL_ACCESS,
                    null,
                    "an illegal memory access was encountered|\\bcudaerrorillegaladdress\\b|cuda_error_illegal_address|misaligned address"
                            + "|unspecified launch failure|memory access fault by gpu|invalid (?:__\\w+__ )?(?:read|write) of size \\d"),
            mark(
                    Kind.COLLECTIVE_TIMEOUT,
                    null,
                    "watchdog caught collective operation timeout|collective operation timeout: work|(?:nccl|gloo|hccl|rccl)\\S* .{0,80}(?:timed out|timeout\\b.{0,20}\\bran for)"),
            mark(
                    Kind.DIVERGES,
                    null,
                    "\\b(?:loss|grad_?norm|gnorm|ppl)\\b['\"]?\\s*[:=]?\\s*-?nan\\b|minimum loss scale reached|loss scale already at minimum"));

    /** Whether a line in small letters has the words, where no sentence of a person has them. */
    boolean isIn(String small) {
        for (Matcher match = words.matcher(small); match.find(); ) {
            if (!isQuoted(small, match.start()) && !isInSentence(small, match.start())) {
                return true;
            }
        }
        return false;
    }

    private static boolean isQuoted(String small, int start) {
        return start > 0 && small.charAt(start - 1) == '`';
    }

    /** Whether so many plain words stand right before a place as no program prints there: {@code If the job is killed with}. */
    private static boolean isInSentence(String small, int start) {
        int words = 0;
        int at = start - 1;
        while (at >= 0 && small.charAt(at) == ' ' && words < MOST_WORDS) {
            int end = at;
            while (at > 0 && Character.isLetter(small.charAt(at - 1))) {
                at--;
            }
            if (at == end) {
                return false;
            }
            words++;
            at--;
        }
        return words == MOST_WORDS;
    }

    private static Mark mark(Kind kind, @Nullable Resource resource, String words) {
        return new Mark(kind, resource, Pattern.compile(words));
    }
}
