package dev.leakline.read.figures;

import java.util.regex.Pattern;

/** What stands below {@code Limits:} and {@code Requests:} of Kubernetes, further to the right: settings, and no measurements. */
final class SettingsBlock {
    private static final Pattern HEAD = Pattern.compile("[\\s\"-]*(?i:limits|requests)\"?:\\s*\\{?\\s*");

    private int indentation = -1;

    /** Whether no block is open. */
    boolean isIdle() {
        return indentation < 0;
    }

    /** Takes a line; whether it is of a block. */
    boolean take(String line) {
        if (HEAD.matcher(line).matches()) {
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
}
