package dev.leakline.result;

import io.avaje.jsonb.Json;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One process of a job, as the probe saw it from inside.
 *
 * @param pid its number
 * @param host its memory on the host; null where nobody looked at that
 * @param collected device memory that only the garbage collector freed; null where it freed none
 * @param functions the functions that the job profiles, in the order of their first calls
 */
public record JobProcess(
        long pid, @Nullable HostMemory host, @Nullable Collected collected, List<ProfiledFunction> functions) {

    /** A process of which only the host's memory is known. */
    public JobProcess(long pid, HostMemory host) {
        this(pid, host, null, List.of());
    }

    /** Its memory on the host, which has to be known. */
    public HostMemory hostMemory() {
        return Objects.requireNonNull(host);
    }

    /** A copy with what was counted. */
    public JobProcess with(@Nullable Collected freed, List<ProfiledFunction> profiled) {
        return new JobProcess(pid, host, freed, profiled);
    }

    /**
     * Device memory that the garbage collector freed.
     *
     * @param bytes all of it
     * @param collections in how many collections
     * @param cycles what kept it until then
     */
    public record Collected(long bytes, long collections, List<Cycle> cycles) {}

    /**
     * Objects that refer to each other in a circle.
     *
     * @param text the references, as {@code Trainer.hooks[*] -> function on_end (train.py:12) closure self -> Trainer}
     * @param leadsTo the way from one of them to a tensor
     */
    public record Cycle(@Json.Property("cycle") String text, String leadsTo) {}

    /**
     * The totals of the calls of one profiled function, in bytes. Where they used several devices, the figures are of the one with the highest
     * peak.
     *
     * @param name its name, as anybody may have written it
     * @param calls how often it was called
     * @param raised how many calls ended with an error
     * @param longestSeconds seconds of the longest call
     * @param peakBytes the most that was allocated during a call
     * @param mostBytes the most that a call took beyond what was allocated before it
     * @param keptBytes what stayed allocated after all calls, negative where they gave back more than they took
     */
    public record ProfiledFunction(
            String name,
            long calls,
            long raised,
            double longestSeconds,
            long peakBytes,
            long mostBytes,
            long keptBytes) {}
}
