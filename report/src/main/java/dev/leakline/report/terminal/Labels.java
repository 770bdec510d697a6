package dev.leakline.report.terminal;

import dev.leakline.result.Frame;
import dev.leakline.result.InputFile;
import dev.leakline.result.Site;
import dev.leakline.text.ByteSize;
import dev.leakline.text.Printable;
import java.util.Locale;

/** Names for people: sites, frames, files. */
public final class Labels {
    private Labels() {}

    /** A site in at most {@code width} characters; a long path loses its beginning, a long function its end. */
    public static String site(Site site, int width, Style style) {
        Frame frame = site.frame();
        return switch (site.kind()) {
            case USER -> line(frame, "", width, style);
            case PACKAGE -> line(frame, " (package)", width, style);
            case TORCH -> line(frame, " (torch)", width, style);
            case PYTHON -> line(frame, " (python)", width, style);
            case BACKWARD -> line(frame, " (backward)", width, style);
            case ANNOTATION, OPERATOR, NATIVE, NO_STACK, BEFORE_RECORDING, FUNCTION, BETWEEN_CALLS, FIGURE ->
                end(site.brief(), width, style);
        };
    }

    /** A frame in one line of any length. */
    public static String frame(Frame frame) {
        String place = frame.file().isEmpty() ? "??" : frame.file() + (frame.line() > 0 ? ":" + frame.line() : "");
        return Printable.of(place) + "  " + Printable.of(frame.function());
    }

    /** A line of code; where it does not fit it loses first its folders, then the end of the function, last of all the file. */
    private static String line(Frame frame, String suffix, int width, Style style) {
        String function = " " + Printable.of(frame.function());
        String place = Printable.of(frame.file()) + ":" + frame.line();
        int excess = place.length() + function.length() + suffix.length() - width;
        if (excess > 0) {
            int folders = place.length() - (Printable.of(frame.fileName()) + ":" + frame.line()).length();
            int cut = Math.min(excess + 1, folders);
            cut = Math.max(cut, place.length() - width + 1);
            place = cut > 1 ? style.ellipsis() + place.substring(cut) : place;
        }
        int forFunction = Math.max(width - place.length() - suffix.length(), 0);
        return end(place + end(function, forFunction, style) + suffix, width, style);
    }

    public static String end(String text, int width, Style style) {
        return text.length() <= width ? text : text.substring(0, Math.max(width - 1, 0)) + style.ellipsis();
    }

    /** Describes a file: its format, its size and its writer. */
    public static String file(InputFile input) {
        String torch = input.torch() == null ? "" : ", by torch " + input.torch();
        return input.kind() + ", " + ByteSize.format(input.bytes()) + torch;
    }

    /** A constant's name in words. */
    public static String words(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
