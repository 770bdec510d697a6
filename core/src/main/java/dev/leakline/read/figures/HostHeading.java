package dev.leakline.read.figures;

import java.util.regex.Pattern;

/** A line that says whose memory the sizes below it are, up to an empty line: {@code htop for the whole machine:}. */
final class HostHeading {
    private static final Pattern HEAD = Pattern.compile(
            "(?i)(?!.*\\b(?:gpu|vram|cuda|nvidia-smi)\\b).*\\b(?:htop|ram|rss|free -\\w|host memory|system memory)\\b[^.?!]*:\\s*");

    /** Headings are short. */
    private static final int MOST = 200;

    private boolean isOpen;

    boolean isIdle() {
        return !isOpen;
    }

    /** Takes a line; whether it stands below such a line. */
    boolean take(String line) {
        boolean isBelow = isOpen && !line.isBlank();
        isOpen = isBelow || isHeading(line);
        return isBelow;
    }

    private static boolean isHeading(String line) {
        return line.length() <= MOST
                && line.stripTrailing().endsWith(":")
                && HEAD.matcher(line).matches();
    }
}
