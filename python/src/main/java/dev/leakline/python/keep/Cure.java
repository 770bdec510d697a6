package dev.leakline.python.keep;

import dev.leakline.python.edit.Edit;
import java.util.List;

/**
 * Edits that end a growth.
 *
 * @param kind what they do
 * @param why in a sentence, why it is safe, or what somebody has to look at
 */
public record Cure(Kind kind, List<Edit> edits, Safety safety, String why) {
    /** The name that stands for a number which somebody has to choose. */
    public static final String CHOICE = "LIMIT";

    /** The certainty with which edits may be made. */
    public enum Safety {
        /** The program does what it did, by all that was read of it. */
        SAFE,
        /** Somebody has to look at what it changes. */
        REVIEW,
        /** Somebody has to choose a number for {@link #CHOICE} first. */
        OPEN
    }

    /** Effects of edits. */
    public enum Kind {
        DROP("Keep the number of entries, not the tensors."),
        SHAPES("Keep the shapes of the tensors, which are all that is read of them."),
        BOUND("Keep only the newest entries, which are all that is read."),
        LIMIT("Limit what is kept."),
        TAKE("Remove the entry when it is read for the last time."),
        ANEW("Go through the source again, and keep none of its items."),
        COPY("Keep a copy of the part, not a view of the whole tensor."),
        DETACH("Detach what is carried on from its autograd graph."),
        TO_HOST("Move what is kept to CPU memory."),
        REMOVE("Remove the hook after use: handle.remove()."),
        RELEASE("Register it so that it does not keep the object."),
        FRAMES("Drop the traceback of a kept error: error.with_traceback(None)."),
        UNCACHE("Do without the cache."),
        CLEAR("Clear it when it has been read."),
        FORGET("Remove the task from where it is kept when it is done: task.add_done_callback."),
        AS_TEXT("Log texts or numbers, not tensors: str(x), x.item()."),
        SAVE("Save outputs by ctx.save_for_backward, not as attributes of ctx."),
        MATCH("Give the class __eq__ and __hash__, so that what is to be removed is found."),
        UNCHAIN("Let each object keep the one before it, and not those before that."),
        UNREGISTER("End the registration when the work is done.");

        private final String action;

        Kind(String action) {
            this.action = action;
        }

        /** Says what to do, as an order. */
        public String action() {
            return action;
        }
    }

    static Cure safe(Kind kind, List<Edit> edits, String why) {
        return new Cure(kind, edits, Safety.SAFE, why);
    }

    /** Edits with a number that is not the program's. */
    static Cure open(List<Edit> edits, String why) {
        return new Cure(
                Kind.LIMIT, edits, Safety.OPEN, CHOICE + " is yours to choose, by the memory that there is. " + why);
    }

    public boolean isSafe() {
        return safety == Safety.SAFE;
    }

    /** Returns whether it says how, and the program does not run with it as it is. */
    public boolean isOpen() {
        return safety == Safety.OPEN;
    }

    /** Errors without their frames. */
    static Cure calm(List<Edit> edits) {
        return safe(Kind.FRAMES, edits, "Type and text of the error stay; only the frames go, which hold the tensors.");
    }

    /** The same edits for somebody to look at, as not all of the program is at hand. */
    Cure unproven() {
        return isSafe() ? review(kind, edits, why + " Other files may read it, too.") : this;
    }

    static Cure review(Kind kind, List<Edit> edits, String why) {
        return new Cure(kind, edits, Safety.REVIEW, why);
    }
}
