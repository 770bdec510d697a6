package dev.leakline.read.figures;

import java.util.regex.Pattern;

/**
 * Lines below a heading that says what they are: settings below {@code Limits:} and {@code Requests:} of Kubernetes, and what XLA plans below
 * {@code BufferAssignment stats:}, further to the right than the heading; sizes of the host below {@code htop for the whole machine:}, up to an empty line.
 */
final class HeadedBlocks {
    private static final Pattern SETTINGS =
            Pattern.compile("[\\s\"-]*(?i:limits|requests|bufferassignment stats)\"?:\\s*\\{?\\s*");
    private static final Pattern HOST = Pattern.compile(
            "(?i)(?!.*\\b(?:gpu|vram|cuda|nvidia-smi)\\b).*\\b(?:htop|ram|rss|free -\\w|host memory|system memory)\\b[^.?!]*:\\s*");
    /** Headings are short. */
    private static final int MOST = 200;

    /** Blanks before the heading of settings, -1 where none is open. */
    private int indentation = -1;

    private boolean isOfHost;

    /** Whether no block is open. */
    boolean isIdle() {
        return indentation < 0 && !isOfHost;
    }

    /** Takes a line; whether it is a setting, or the heading of some. */
    boolean isSetting(String line) {
        if (line.length() <= MOST && SETTINGS.matcher(line).matches()) {
            indentation = indentation(line);
            return true;
        }
        if (indentation >= 0 && indentation(line) <= indentation) {
            indentation = -1;
        }
        return indentation >= 0;
    }

    private static int indentation(String line) {
        return line.length() - line.stripLeading().length();
    }

    /** Takes a line that is no setting; whether its sizes are the host's. */
    boolean isOfHost(String line) {
        boolean isBelow = isOfHost && !line.isBlank();
        isOfHost = isBelow || isHostsHeading(line);
        return isBelow;
    }

    private static boolean isHostsHeading(String line) {
        return line.length() <= MOST
                && line.stripTrailing().endsWith(":")
                && HOST.matcher(line).matches();
    }
}
