package dev.leakline.attach;

import dev.leakline.attach.Launch.Ended;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The ending of a job: what it has left, what it has not, and what would have kept that, in sentences. */
public final class JobEnding {
    private static final String OLDER =
            ", without the events that would have taken longer than --max-pause; --max-pause 0 keeps them all";
    private static final String SMALL =
            "), so they are compressed, and snapshots may have only the newest events; more room for --keep, or a higher"
                    + " limit (ulimit -f), keeps them all";

    /** The number that a shell adds to that of the signal that ended a job. */
    private static final int SIGNALLED = 128;

    private final Ended ended;
    private final List<ProbeOutputs> processes;
    private final boolean hasHistory;

    /** The ending of a job; {@code processes} are those that left files. */
    public JobEnding(Ended ended, List<ProbeOutputs> processes, boolean hasHistory) {
        this.ended = ended;
        this.processes = processes;
        this.hasHistory = hasHistory;
    }

    /** Why nothing is known of the job's memory. */
    public String missing() {
        List<ProbedProcess> probed = ended.processes();
        if (processes.stream().anyMatch(process -> process.snapshot().isPresent())) {
            return "the job's snapshots could not be read";
        }
        if (probed.isEmpty()) {
            return ended.trouble().isEmpty()
                    ? "no process of the job had the probe: it ran no Python, or one that was started with -I, -E or -S,"
                            + " which keep Python from loading it; leakline attach PID enters a running job without"
                    : "the job ran without the probe: " + ended.trouble();
        }
        if (probed.stream().noneMatch(ProbedProcess::hasTorch)) {
            return "no process of the job imported PyTorch";
        }
        if (probed.stream().noneMatch(ProbedProcess::hasDevice)) {
            return "no process of the job used a GPU through PyTorch";
        }
        return probed.stream().allMatch(process -> !process.hasDevice() || process.hasEnded())
                ? hasHistory
                        ? "no moment that --at names was reached; --at exit,oom,growth has one at the end"
                        : "without a history (--history 0) there is no line, and no steps were seen"
                : killed();
    }

    private String killed() {
        return "the job " + (crash().isEmpty() ? "was killed" : crash())
                + " before its memory had grown for a while; --at interval:10 would have kept a snapshot every ten seconds";
    }

    /** How the job crashed, which is nobody's killing it; empty where it did not. */
    private String crash() {
        return switch (ended.exit() - SIGNALLED) {
            case 4 -> "crashed (illegal instruction)";
            case 6 -> "crashed (aborted)";
            case 7 -> "crashed (bus error)";
            case 8 -> "crashed (arithmetic error)";
            case 11 -> "crashed (segmentation fault; python -X faulthandler says where)";
            default -> "";
        };
    }

    /** Notes for the user besides the report. */
    public List<String> notes() {
        List<String> notes = new ArrayList<>();
        boolean isProbed = !ended.processes().isEmpty() || !processes.isEmpty();
        if (!ended.trouble().isEmpty() && isProbed) {
            notes.add("nothing more could be written to the folder for the job's files (" + ended.trouble()
                    + "), so the report is of copies that are not kept; --keep names another folder");
        }
        ended.processes().stream()
                .map(ProbedProcess::shortage)
                .filter(reason -> !reason.isEmpty())
                .findFirst()
                .ifPresent(reason -> notes.add("there was no room for whole files of the job (" + reason + SMALL));
        Map<Integer, ProbedProcess> probed = new HashMap<>();
        ended.processes().forEach(process -> probed.put(process.pid(), process));
        List<ProbeOutputs> cut = processes.stream()
                .filter(process -> process.snapshot().isPresent() && !process.isFinal())
                .toList();
        if (!cut.isEmpty()) {
            notes.add((cut.size() == 1 ? name(cut.getFirst()) : cut.size() + " processes")
                    + " left no snapshot of the end, so the report is of the last one that was taken as memory grew or ceased to"
                    + (cut.stream().anyMatch(process -> isCut(probed.get(process.pid()))) ? OLDER : ""));
        }
        List<ProbeOutputs> bare = processes.stream()
                .filter(process ->
                        process.snapshot().isEmpty() && process.counters().isPresent())
                .filter(process -> hasHistory && !hasEnded(probed.get(process.pid())))
                .toList();
        if (!bare.isEmpty()) {
            notes.add((bare.size() == 1 ? name(bare.getFirst()) : bare.size() + " processes")
                    + " wrote no snapshot: " + (crash().isEmpty() ? "killed" : crash())
                    + " before memory had grown for a while; --at interval:10 would have kept one"
                    + " every ten seconds");
        }
        return notes;
    }

    private static boolean isCut(@Nullable ProbedProcess process) {
        return process != null && process.isCut();
    }

    private static boolean hasEnded(@Nullable ProbedProcess process) {
        return process != null && process.hasEnded();
    }

    private static String name(ProbeOutputs process) {
        return String.valueOf(process.stem().getFileName());
    }
}
