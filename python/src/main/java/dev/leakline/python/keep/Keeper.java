package dev.leakline.python.keep;

import dev.leakline.python.Node;
import dev.leakline.python.flow.SourceFile;
import java.util.List;

/**
 * Something of a program that is known to keep what it is given, at the line that has it do so.
 *
 * @param at the expression or statement of that line
 * @param cures the edits that end it, the best first; none where the source does not show where
 * @param isGuess whether the line makes it likely and no more
 */
public record Keeper(Kind kind, SourceFile file, Node at, List<Cure> cures, boolean isGuess) {
    /** Kinds of keepers. */
    public enum Kind {
        /** Autocast around a loop, which keeps copies of weights. */
        AUTOCAST_CACHE,
        /** The dict from which the object was taken that the line works with. */
        CACHE_GROWS,
        /** A call that keeps all that it goes through. */
        CONTAINER,
        /** The collector, which is switched off. */
        COLLECTOR_OFF,
        /** The context of an autograd function, which keeps its own output. */
        CONTEXT_CYCLE,
        /** An exception, with the frames that it passed through. */
        EXCEPTION,
        /** A finalizer that refers to its object. */
        FINALIZER,
        /** A generator or coroutine that is suspended. */
        GENERATOR_SUSPENDED,
        /** Gradients with graphs. */
        GRADIENT_CYCLES,
        /** A hook that stores what it sees. */
        HOOK,
        /** A hook that refers to what the line makes. */
        HOOKS_KEEP,
        /** The records of a log. */
        LOG_RECORDS,
        /** The cache of a function. */
        MEMO_GROWS,
        /** The cache of a method, whose keys are objects. */
        MEMO_OBJECTS,
        /** A metric that is never reset. */
        METRIC,
        /** An optimizer to which each step adds parameters. */
        PARAM_GROUPS,
        /** A registration that is never ended. */
        REGISTERED,
        /** A hook that each step registers. */
        STEP_HOOKS,
        /** Tasks that have ended. */
        TASKS,
        /** A dict with weak keys whose values refer to the keys. */
        WEAK_KEYS
    }

    static Keeper sure(Kind kind, SourceFile file, Node at, List<Cure> cures) {
        return new Keeper(kind, file, at, cures, false);
    }

    static Keeper guess(Kind kind, SourceFile file, Node at, List<Cure> cures) {
        return new Keeper(kind, file, at, cures, true);
    }

    /** The number of its line. */
    public int line() {
        return file.line(at);
    }
}
