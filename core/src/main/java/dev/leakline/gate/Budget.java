package dev.leakline.gate;

import dev.leakline.result.Site;
import dev.leakline.text.ByteSize;
import dev.leakline.text.MemorySize;
import dev.leakline.text.Numbers;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The limit of a measure, everywhere or at a line: {@code peak=20GiB}, {@code growth=1MiB}, {@code peak-increase=5%}, {@code
 * growth@train.py:42=512KiB}, {@code peak@models/encoder.py=2GiB}.
 *
 * @param name what stands before the equals sign
 * @param measure what is measured
 * @param file the end of a file's path, empty for everywhere
 * @param line its line, 0 for the whole file
 * @param bytes the most that is allowed; of an increase in percent 0
 * @param share the most that is allowed, 0.05 for 5 %; NaN where bytes are
 */
public record Budget(String name, Measure measure, String file, int line, long bytes, double share) {
    private static final Pattern WRITTEN = Pattern.compile("([a-z-]+)(?:@(.+?)(?::(\\d{1,9}))?)?=\\s*(.+)");
    private static final Pattern PERCENT = Pattern.compile("(\\d{1,6}(?:\\.\\d{1,6})?) ?%");

    /** Measures. */
    public enum Measure {
        /** Live bytes at the peak of a device. */
        PEAK,
        /** Bytes that stay per step. */
        GROWTH,
        /** The rise of the peak above that of the baseline. */
        PEAK_INCREASE;

        private String word() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }

        private static Measure of(String word) {
            for (Measure measure : values()) {
                if (measure.word().equals(word)) {
                    return measure;
                }
            }
            throw new IllegalArgumentException(
                    "there is no budget of '" + word + "'; there are peak, growth and peak-increase");
        }
    }

    /** The budget that a text means; throws {@link IllegalArgumentException} where it means none. */
    public static Budget parse(String text) {
        Matcher written = WRITTEN.matcher(text);
        if (!written.matches()) {
            throw new IllegalArgumentException(
                    "'" + text + "' is no budget; expected something like peak=20GiB, growth@train.py:42=1MiB or"
                            + " peak-increase=5%");
        }
        Measure measure = Measure.of(written.group(1));
        String file = written.group(2) == null ? "" : written.group(2);
        if (measure == Measure.PEAK_INCREASE && !file.isEmpty()) {
            throw new IllegalArgumentException("'" + text + "': peak-increase is of the whole job, not of a line");
        }
        int line = written.group(3) == null ? 0 : Integer.parseInt(written.group(3));
        String name = text.substring(0, written.start(4)).replaceFirst("\\s*=\\s*$", "");
        return limited(name, measure, file, line, written.group(4).strip());
    }

    private static Budget limited(String name, Measure measure, String file, int line, String limit) {
        Matcher percent = PERCENT.matcher(limit);
        if (!percent.matches()) {
            return new Budget(name, measure, file, line, MemorySize.any(limit), Double.NaN);
        }
        if (measure != Measure.PEAK_INCREASE) {
            throw new IllegalArgumentException("'" + limit + "': only peak-increase can be a percentage");
        }
        return new Budget(name, measure, file, line, 0, Double.parseDouble(percent.group(1)) / 100);
    }

    /** Returns whether it holds for a site: everywhere, or where the path ends in its file and the line is its own, if it names one. */
    boolean isOf(Site site) {
        String path = site.file().replace('\\', '/');
        boolean isFile = file.isEmpty() || path.equals(file) || path.endsWith("/" + file);
        return isFile && (line == 0 || line == site.line());
    }

    /** How narrowly it says where it holds: a line more than a file, a file more than everywhere. */
    int precision() {
        return file.isEmpty() ? 0 : line == 0 ? 1 : 2;
    }

    /** The most that is allowed, where a baseline has {@code before}. */
    double limit(long before) {
        return Double.isNaN(share) ? bytes : share * before;
    }

    /** The limit, in words. */
    String words() {
        return Double.isNaN(share) ? ByteSize.format(bytes) : Numbers.percent(share);
    }
}
