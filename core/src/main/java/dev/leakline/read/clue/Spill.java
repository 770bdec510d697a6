package dev.leakline.read.clue;

import dev.leakline.result.Conclusion.Resource;
import dev.leakline.source.Clue;
import dev.leakline.source.Clue.Kind;
import dev.leakline.text.ByteSize;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds memory of a device that Windows' driver has put into the host's, by what the task manager shows: {@code Shared GPU memory 6.1/15.8 GB}. */
final class Spill {
    private static final Pattern SIZES = Pattern.compile(
            "\\b(dedicated|shared) gpu memory\\b[^\\d\\n]{0,24}?(\\d[\\d.,]*) ?([mg]i?b)?(?: ?(?:/|of|out of) ?(\\d[\\d.,]*) ?([mg]i?b))?");
    /** The same in words: one graph is at its top, the other rises. */
    private static final Pattern SAID = Pattern.compile(
            "\\bdedicated\\b.{0,80}?\\b(?:top|full|maxed|max|limit|100 ?%).{0,120}?\\bshared\\b.{0,60}?\\b(?:climb|ris|grow|increas|fill|going up|goes up)");
    /** The screen and its programs take some hundred mebibytes of shared memory on any machine. */
    private static final long LEAST = ByteSize.GIB;
    /** With less in use, what lies in the host's memory did so for another reason. */
    private static final double NEARLY_FULL = 0.9;

    private final Consumer<Clue> found;
    private boolean hasRoom;

    Spill(Consumer<Clue> found) {
        this.found = found;
    }

    /** Takes a line in small letters. */
    void take(String small, String written, long number) {
        if (SAID.matcher(small).find()) {
            found.accept(new Clue(Kind.SPILLED, Resource.DEVICE, 0, number, written.strip()));
        }
        for (Matcher sizes = SIZES.matcher(small); sizes.find(); ) {
            String unit = sizes.group(3) == null ? sizes.group(5) : sizes.group(3);
            long used = Amounts.bytes(sizes.group(2).replace(',', '.'), unit);
            if (sizes.group(1).equals("dedicated")) {
                hasRoom = sizes.group(4) != null
                        && used < NEARLY_FULL * Amounts.bytes(sizes.group(4).replace(',', '.'), sizes.group(5));
            } else if (used >= LEAST && !hasRoom) {
                found.accept(new Clue(Kind.SPILLED, Resource.DEVICE, used, number, written.strip()));
            }
        }
    }
}
