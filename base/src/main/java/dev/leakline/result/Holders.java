package dev.leakline.result;

import dev.leakline.result.Finding.Advice;
import dev.leakline.result.Finding.KeptAt;
import io.avaje.jsonb.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The owners of a process's device memory, from one dump or several of the same process.
 *
 * @param schema {@link #SCHEMA}
 * @param tool what found it
 * @param dumps the dumps, oldest first; groups and cycles are those of the last
 * @param totals what the groups come to
 * @param groups the storages by who holds them: first what can be wrong, most serious first, then what should be there
 * @param cycles cycles that nothing outside refers to, the largest first
 * @param coverage what the dumps could not see, in sentences
 */
public record Holders(
        String schema,
        Tool tool,
        List<Dump> dumps,
        Totals totals,
        List<Group> groups,
        List<Cycle> cycles,
        List<String> coverage) {
    /** The schema of this as JSON. */
    public static final String SCHEMA = "leakline.held/1";

    /** A copy with other groups. */
    public Holders withGroups(List<Group> others) {
        return new Holders(schema, tool, dumps, totals, others, cycles, coverage);
    }

    /** Returns whether an object or a group is expected. */
    public enum Verdict {
        /** It should be alive. */
        EXPECTED,
        /** Nobody can tell. */
        UNKNOWN,
        /** It should be gone. */
        STUCK
    }

    /** Kinds of owners. */
    public enum Owner {
        /** Something with a name: a module, a class, a call that runs. */
        NAME,
        /** Something that is no object of Python's: native code, or the interpreter. */
        NATIVE,
        /** Nobody: a cycle that waits for the garbage collector. */
        CYCLE,
        /** Something that the dump does not show. */
        UNSEEN
    }

    /**
     * A dump.
     *
     * @param path as it was given
     * @param kind what the file turned out to be
     * @param bytes its size after decompression
     * @param torch the version of torch in the process, null where there was none
     * @param incomplete why it could not be read to its end, or null
     * @param program the name of the program
     * @param python the version of Python
     * @param pid the process
     * @param rank the process's number in its job, -1 where it has none
     * @param step the step that the job was in, -1 where nobody counts
     * @param timeUs when it was made, in Unix microseconds
     * @param pauseMs how long the process was paused for it
     * @param objects objects in it
     * @param storages storages in it
     * @param storageBytes what those take
     */
    public record Dump(
            String path,
            String kind,
            long bytes,
            @Nullable String torch,
            @Nullable String incomplete,
            String program,
            String python,
            long pid,
            @Json.Serializer(UnknownIfNegative.class) long rank,
            @Json.Serializer(UnknownIfNegative.class) long step,
            @Json.Serializer(UnknownIfZero.class) long timeUs,
            long pauseMs,
            int objects,
            int storages,
            long storageBytes) {
        /** The file. */
        public InputFile file() {
            return new InputFile(path, kind, bytes, torch, incomplete);
        }
    }

    /**
     * Bytes by who holds them; they add up to {@code bytes}.
     *
     * @param storages all storages of the last dump
     * @param bytes what those take
     * @param expectedBytes held as they should be: parameters, gradients, an optimizer's state, locals of running calls
     * @param namedBytes with a named owner, but not known to be expected
     * @param cycleBytes held in unreferenced cycles
     * @param nativeBytes held by native code
     * @param unseenBytes of which the dump does not show who holds them
     */
    public record Totals(
            int storages,
            long bytes,
            long expectedBytes,
            long namedBytes,
            long cycleBytes,
            long nativeBytes,
            long unseenBytes) {}

    /**
     * Storages that are held in the same way.
     *
     * @param signature a fingerprint: the same bug has the same in every run; no address, size, index or line number is in it
     * @param title who holds it, in a few words
     * @param owner who holds it in the end
     * @param verdict the group as a whole
     * @param storages how many
     * @param bytes what they take
     * @param retainedBytes what comes back if the objects at the end of the suspect reference go
     * @param sharedBytes of what others reach too, the share of this group: an equal part for each that reaches it
     * @param reachableBytes all that is reached from those objects
     * @param path the best path to the largest of them, from its beginning on
     * @param accumulation where it piles up, null where it does not
     * @param mostItems how many items the container that holds it keeps at most, 0 where it does not say so itself
     * @param growth how it went from dump to dump, null where there is one dump
     * @param cause the known cause that its path shows, null where it shows none
     * @param advice what to do, the best first
     * @param keptAt the line of the source that adds to it, null where it did not grow or that is not known
     */
    public record Group(
            String signature,
            String title,
            Owner owner,
            Verdict verdict,
            int storages,
            long bytes,
            long retainedBytes,
            long sharedBytes,
            long reachableBytes,
            List<Hop> path,
            @Nullable Accumulation accumulation,
            @Json.Serializer(UnknownIfZero.class) long mostItems,
            @Nullable Growth growth,
            @Nullable String cause,
            List<Advice> advice,
            @Nullable KeptAt keptAt) {
        /** A copy with the line that adds to it, and what to do there. */
        public Group withKeptAt(KeptAt line, List<Advice> better) {
            return new Group(
                    signature,
                    title,
                    owner,
                    verdict,
                    storages,
                    bytes,
                    retainedBytes,
                    sharedBytes,
                    reachableBytes,
                    path,
                    accumulation,
                    mostItems,
                    growth,
                    cause,
                    better,
                    line);
        }

        /** The bytes that its removal frees. */
        @Json.Property("frees")
        public String frees() {
            return HolderLines.frees(this);
        }
    }

    /**
     * An object on a path, and the reference that leads to it from the one before.
     *
     * @param label the reference, as Python writes it; empty at the beginning
     * @param type the object's type
     * @param text the object for people
     * @param verdict whether it should be there
     * @param reason why
     * @param isSuspect whether the reference is suspect
     */
    public record Hop(String label, String type, String text, Verdict verdict, String reason, boolean isSuspect) {
        /** Returns whether the object is a tensor and no subclass that a program made. */
        public boolean isTensor() {
            return type.equals("torch.Tensor") || type.equals("torch.nn.parameter.Parameter");
        }
    }

    /**
     * The container in which a group piles up.
     *
     * @param hop its place on the group's way
     * @param items its items
     * @param storages storages of the group that it holds
     * @param bytes what they take
     */
    public record Accumulation(int hop, long items, int storages, long bytes) {}

    /**
     * The change of a group from dump to dump.
     *
     * @param bytes its bytes in each dump
     * @param storages its storages in each dump
     * @param items the items of the container in which it piles up in each dump; -1 where there is none
     * @param newStorages storages of the last dump that were not in the one before
     * @param isSteady whether it grew from every dump to the next
     */
    public record Growth(List<Long> bytes, List<Long> storages, List<Long> items, int newStorages, boolean isSteady) {
        /** Returns whether it is more than at first: by the items of its container, where there is one, as of equally many some may be larger. */
        public boolean hasGrown() {
            List<Long> counted = items.getFirst() >= 0 && items.getLast() >= 0 ? items : bytes;
            return counted.getLast() > counted.getFirst();
        }

        /** The change in a sentence. */
        @Json.Property("sentence")
        public String sentence() {
            return HolderLines.growth(this);
        }
    }

    /**
     * Cycles of the same shape that nothing outside refers to.
     *
     * @param signature the fingerprint of the group of what they hold
     * @param copies how many there are
     * @param objects objects of one, the largest
     * @param storages storages that all of them hold
     * @param bytes what those take
     * @param isCollectable whether Python's collector can end it; it does not see references of the autograd graph
     * @param hops the hops of the cycle; the first has the reference by which the last leads back, the suspect is the one to cut
     */
    public record Cycle(
            String signature,
            int copies,
            int objects,
            int storages,
            long bytes,
            boolean isCollectable,
            List<Hop> hops) {
        /** How many there are, and who frees them. */
        @Json.Property("sentence")
        public String sentence() {
            return HolderLines.of(this);
        }
    }
}
