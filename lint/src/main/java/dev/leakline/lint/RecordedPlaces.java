package dev.leakline.lint;

import dev.leakline.result.Finding;
import dev.leakline.result.FindingHolder;
import dev.leakline.result.Frame;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Whether a line that a rule matches is one at which a recording saw memory stay. */
final class RecordedPlaces {
    private RecordedPlaces() {}

    /** The frames of what grew: its line first, then those that led there, the innermost first. */
    static Stream<Frame> frames(Finding grown) {
        return Stream.concat(Stream.of(grown.site().frame()), grown.stack().stream())
                .filter(frame -> frame.line() > 0)
                .distinct();
    }

    /** Whether the frame is in the lines that the rule matches, or in one where what they keep is made. */
    static boolean isAt(Frame frame, LintFinding finding) {
        boolean line = (frame.line() >= finding.line()
                        && frame.line() <= finding.range().endLine())
                || finding.related().contains(frame.line());
        return line && frame.fileName().equals(fileName(finding));
    }

    /** Whether a dump shows that what keeps it is at the line. */
    static boolean isHeldAt(Finding grown, LintFinding finding) {
        String place = fileName(finding) + ":" + finding.line();
        return grown.holders().stream()
                .map(FindingHolder::toString)
                .anyMatch(holder -> holder.contains(place) && !holder.matches("(?s).*" + place + "\\d.*"));
    }

    /** A recording may be of another machine: the last names of both paths have to be the same. */
    private static String fileName(LintFinding finding) {
        Path name = Path.of(finding.file()).getFileName();
        return name == null ? "" : name.toString();
    }
}
