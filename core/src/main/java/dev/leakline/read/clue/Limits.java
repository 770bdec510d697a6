package dev.leakline.read.clue;

import dev.leakline.result.Conclusion.Resource;
import dev.leakline.source.Clue;
import dev.leakline.source.Clue.Kind;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds limits of host memory: options of Slurm and Docker, what stands under {@code limits:} of Kubernetes, columns of {@code sacct} and {@code docker stats}. */
final class Limits {
    /** Lines under {@code limits:}: a container has few resources. */
    private static final int MOST_BELOW = 6;

    private static final Pattern LIMITS = Pattern.compile("^[\\s\"-]*limits\"?:\\s*\\{?\\s*$");
    private static final Pattern MEMORY =
            Pattern.compile("^[\\s\"]*memory\"?:\\s*\"?(\\d[\\d.]*(?:[kmgt]i?b?)?)\"?,?\\s*$");
    private static final Pattern CONTAINER =
            Pattern.compile("\\d%\\s+\\d[\\d.]*[kmgt]?i?b\\s*/\\s*(\\d[\\d.]*[kmgt]i?b)\\s+\\d[\\d.]*%");
    /** {@code --mem=64G} of {@code sbatch}, {@code --memory 64g} of {@code docker run}; what the kernel prints of a control group. */
    private static final Pattern OPTION = Pattern.compile(
            "(?:(?:^|\\s)--mem(?:ory)?(?:-per-(?:node|cpu|gpu))?[= ]|\\bmemory: usage \\d{1,18}kb, limit )(\\d{1,12}[kmgt]i?b?)(?![\\w.])");
    /** Slurm's request; {@code c} and {@code n} behind it mean each processor and each node. */
    private static final Pattern REQUESTED = Pattern.compile("\\breqmem\\b");

    private static final Pattern CELL = Pattern.compile("(?<![\\d.])(\\d[\\d.]*[kmgt])[cn]?");

    private final Consumer<Clue> found;
    private int below;
    private int from;
    private int to;

    Limits(Consumer<Clue> found) {
        this.found = found;
    }

    /** Takes a line in small letters. */
    void take(String small, long number) {
        column(small, number);
        if (LIMITS.matcher(small).matches()) {
            below = MOST_BELOW;
        } else if (below > 0) {
            below--;
            Matcher memory = MEMORY.matcher(small);
            if (memory.matches()) {
                say(memory.group(1), small, number);
                below = 0;
            }
        }
        Matcher container = CONTAINER.matcher(small);
        if (container.find()) {
            say(container.group(1), small, number);
        }
        Matcher option = OPTION.matcher(small);
        if (option.find()) {
            say(option.group(1), small, number);
        }
    }

    /** A cell that stands under the name of its column. */
    private void column(String small, long number) {
        Matcher head = REQUESTED.matcher(small);
        if (head.find() && small.indexOf('=') < 0) {
            from = head.start();
            to = head.end();
        } else if (to > 0) {
            Matcher cell = CELL.matcher(small);
            while (cell.find()) {
                if (cell.start() < to && cell.end() > from) {
                    say(cell.group(1), small, number);
                    to = 0;
                    return;
                }
            }
        }
    }

    private void say(String size, String line, long number) {
        long bytes = Amounts.of(size);
        if (bytes > 0) {
            found.accept(new Clue(Kind.LIMIT, Resource.HOST, bytes, number, line.strip()));
        }
    }
}
