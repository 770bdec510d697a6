package dev.leakline.source;

import dev.leakline.columns.SnapshotColumns;
import dev.leakline.columns.StringTable;
import dev.leakline.source.ReadException.Code;
import dev.leakline.text.Printable;
import org.jspecify.annotations.Nullable;

/**
 * Limits of what a reader takes from a file, whatever the file claims; exceeding one is a {@link ReadException} with {@link
 * ReadException.Code#LIMIT}. Each default is far above what real recordings hold, and far below what hurts.
 *
 * @param stringBytes one string; the longest name seen in real recordings has 1,806 bytes (a C++ template)
 * @param distinctStringBytes all distinct strings together
 * @param stackDepth frames of one stack; the deepest seen has 303
 * @param nesting nested containers; snapshots need seven
 * @param openValues values that wait for their container; the C++ writer closes a trace of any length at once, but its
 *     events wait as a single run
 * @param settings entries of dictionaries that are no rows (allocator settings and what this version does not know)
 * @param shownSettings allocator settings that are kept; torch 2.14 has eleven, one of them a table of sixteen
 * @param devices devices; no machine has a tenth as many
 * @param inflatedBytes bytes of a compressed file after decompression; to read so much takes several minutes
 * @param reportBytes bytes of a report's JSON after decompression; the largest seen of a device, with all
 *     stacks, has one megabyte, and pictures, which are skipped, have a few more
 * @param reportItems items of the lists of a report; each becomes an object, and the largest report seen of a device has 4,742
 * @param reportNesting nested containers in a report; its deepest, the calls of a peak, take two for each of 64 calls
 * @param sizeBytes one size of memory; a thousand times the largest machine's, and one that is larger is no size
 * @param sumOfSizes all sizes that a recording states, together: ten million requests of 100 GB each; a sum of them has room for eight times as
 *     much before it runs over
 * @param unfolding how many times as large as the file its content may be; of all recordings seen, none has more than 35
 * @param unfoldedFreely bytes of content up to which {@code unfolding} does not count; they are read within seconds
 * @param messagesOfLine messages about memory that ran out that are taken from one line; a notebook or a JSON string has a whole log in one, and
 *     what the first thousand failures of a log do not show, no later one does
 * @param searchedBytes what is searched for messages of a file that is of no format; logs are texts, which are read to their end
 */
public record ReadLimits(
        int stringBytes,
        int distinctStringBytes,
        int stackDepth,
        int nesting,
        int openValues,
        int settings,
        int shownSettings,
        int devices,
        long inflatedBytes,
        long reportBytes,
        int reportItems,
        int reportNesting,
        long sizeBytes,
        long sumOfSizes,
        int unfolding,
        long unfoldedFreely,
        long searchedBytes,
        int messagesOfLine) {
    /** How many GiB a compressed file may unfold to, however small it is, for those who trust theirs. */
    public static final String UNFOLD = "LEAKLINE_UNFOLD";

    /** The limits that commands use. */
    public static final ReadLimits DEFAULT = new ReadLimits(
                    16 << 20,
                    1 << 30,
                    65_536,
                    100,
                    32 << 20,
                    1 << 20,
                    1024,
                    1024,
                    256L << 30,
                    512L << 20,
                    4 << 20,
                    256,
                    1L << 50,
                    1L << 60,
                    250,
                    1L << 30,
                    64 << 20,
                    1000)
            .trusting(System.getenv(UNFOLD));

    /** These limits for somebody who says to how many GiB files may unfold; the same where that is no such number. */
    ReadLimits trusting(@Nullable String gibibytes) {
        return gibibytes == null || !isCount(gibibytes)
                ? this
                : unfolding(Long.parseLong(gibibytes) << 30, Integer.MAX_VALUE, unfoldedFreely);
    }

    private static boolean isCount(String gibibytes) {
        return gibibytes.matches("[1-9]\\d{0,5}");
    }

    /** Advice about a trusted file that was refused, where {@link #UNFOLD} has this value; null where it is not set. */
    static String howToTrust(@Nullable String gibibytes) {
        return gibibytes == null || isCount(gibibytes)
                ? UNFOLD + "=1024 lets it unfold to 1024 GiB"
                : UNFOLD + " must be a whole number of GiB from 1 to 999999, such as 1024, but is \""
                        + Printable.of(gibibytes) + "\", and was ignored";
    }

    /** These limits with others for what is compressed. */
    public ReadLimits unfolding(long most, int times, long freely) {
        return new ReadLimits(
                stringBytes,
                distinctStringBytes,
                stackDepth,
                nesting,
                openValues,
                settings,
                shownSettings,
                devices,
                most,
                reportBytes,
                reportItems,
                reportNesting,
                sizeBytes,
                sumOfSizes,
                times,
                freely,
                searchedBytes,
                messagesOfLine);
    }

    /** Fails for a device whose number is no device's; {@link SnapshotColumns#HOST} is one. */
    public void checkDevice(long device) throws ReadException {
        if (device < SnapshotColumns.HOST || device >= devices) {
            throw new ReadException(Code.LIMIT, -1, "device " + device + ", expected a number below " + devices);
        }
    }

    /** Fails where the distinct strings of a file take too much. */
    public void checkStrings(StringTable strings) throws ReadException {
        if (strings.byteCount() > distinctStringBytes) {
            throw new ReadException(
                    Code.LIMIT, -1, "distinct strings of more than " + distinctStringBytes + " bytes in total");
        }
    }
}
