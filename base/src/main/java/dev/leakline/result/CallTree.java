package dev.leakline.result;

import java.util.List;

/**
 * Live bytes by calls: a line of the user's code, what was live beneath it, and the calls that it went through, largest first.
 * What is too small to be shown is in the parent's bytes only.
 *
 * @param kind the kind of the line's site
 * @param file the line's file
 * @param line its number
 * @param function the function that it is in
 */
public record CallTree(
        Site.Kind kind, String file, int line, String function, long bytes, int blocks, List<CallTree> calls) {
    /** Makes the tree of what was live beneath a line. */
    public static CallTree of(Site site, long bytes, int blocks, List<CallTree> calls) {
        return new CallTree(site.kind(), site.file(), site.line(), site.function(), bytes, blocks, calls);
    }

    /** The line. */
    public Site site() {
        return new Site(kind, file, line, function);
    }
}
