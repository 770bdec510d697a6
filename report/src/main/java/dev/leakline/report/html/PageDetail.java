package dev.leakline.report.html;

import dev.leakline.text.ByteSize;
import dev.leakline.text.Numbers;

/**
 * The share of its recordings of which a page has every block.
 *
 * @param events those that can be drawn block by block
 * @param all events of the recordings
 * @param wholeBytes the size of a page that has all of them, an estimate unless this is one; 0 where none was written that would tell
 */
public record PageDetail(long events, long all, long wholeBytes) {
    /** Returns whether it has all. */
    public boolean isWhole() {
        return events >= all;
    }

    /** The same as a sentence. */
    public String sentence() {
        String total = Numbers.counted(all, "event");
        return isWhole()
                ? "The page has single blocks of all " + total + "."
                : "The page has single blocks of " + Numbers.percent(events / (double) all) + " of " + total + "; "
                        + rest();
    }

    private String rest() {
        return wholeBytes == 0
                ? "the size leaves no room for more."
                : "with all, it would take about " + ByteSize.format(wholeBytes) + ".";
    }
}
