package dev.leakline.read.log;

import dev.leakline.result.OutOfMemoryMessage.Meaning;
import dev.leakline.result.PrintedSize;
import java.util.List;

/** A wording that stands in a view between two places. */
record Hit(Wording wording, int start, int end, List<FoundSize> sizes, int device) {
    /** A size of a wording, and where it stands. */
    record FoundSize(Meaning meaning, PrintedSize size, long pid, int start, int end) {}
}
