package dev.leakline.detect;

import dev.leakline.primitive.ByteSize;
import dev.leakline.primitive.Numbers;
import dev.leakline.result.Frame;
import dev.leakline.result.Site;
import java.util.List;

/** Short names and figures for the sentences of findings. */
final class Words {
    private Words() {}

    /** A site in a sentence: the file's name and the line, or what is known instead. */
    static String site(Site site) {
        Frame frame = site.frame();
        return switch (site.kind()) {
            case USER, PACKAGE, TORCH, PYTHON -> line(frame);
            case BACKWARD -> "the backward pass that " + line(frame) + " starts";
            case ANNOTATION -> "the range \"" + frame.function() + "\"";
            case OPERATOR -> "the operator " + frame.function();
            case NATIVE -> "C++ code (" + frame.function() + ")";
            case NO_STACK -> "code without a recorded stack";
            case BEFORE_RECORDING -> "code that ran before the recording";
            case FUNCTION -> "the function " + frame.function();
            case BETWEEN_CALLS -> "code after the calls of " + frame.function();
            case FIGURE -> "code that the figures do not name";
        };
    }

    /** The user's lines on the way to a site, outermost first; the site's alone where the stack names none. */
    static List<Frame> path(Evidence evidence, Site site, int stack) {
        List<Frame> path = evidence.stacks().userFrames(stack);
        return path.isEmpty() ? List.of(site.frame()) : path;
    }

    /** A line of code in a sentence, with its function. */
    static String lineOf(Frame frame) {
        return line(frame) + " (" + frame.function() + ")";
    }

    private static String line(Frame frame) {
        return frame.fileName() + ":" + frame.line();
    }

    /** A number and its noun, in the plural where it needs to be. */
    static String count(long number, String noun) {
        return Numbers.counted(number, noun);
    }

    /** A size for people. */
    static String size(long bytes) {
        return ByteSize.format(bytes);
    }

    /** A share in whole percent. */
    static String percent(double share) {
        return Numbers.percent(share);
    }
}
