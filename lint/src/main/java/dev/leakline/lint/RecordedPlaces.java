package dev.leakline.lint;

import dev.leakline.python.Node;
import dev.leakline.python.Stmt;
import dev.leakline.python.flow.SourceFile;
import dev.leakline.result.Finding;
import dev.leakline.result.FindingHolder;
import dev.leakline.result.Frame;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/** Returns whether a line that a rule matches is one at which a recording saw memory stay. */
final class RecordedPlaces {
    private RecordedPlaces() {}

    /** The frames of what grew: its line first, then those that led there, the innermost first. */
    static Stream<Frame> frames(Finding grown) {
        return Stream.concat(Stream.of(grown.site().frame()), grown.stack().stream())
                .filter(frame -> frame.line() > 0)
                .distinct();
    }

    /** Returns whether the frame is in the lines that the rule matches, or in one where what they keep is made. */
    static boolean isAt(Frame frame, LintFinding finding) {
        boolean line = (frame.line() >= finding.line()
                        && frame.line() <= finding.range().endLine())
                || finding.related().contains(frame.line());
        return line && frame.fileName().equals(fileName(finding));
    }

    /** Returns whether the frame is in the same class, or function outside of classes, as what the rule matches. */
    static boolean isInDefinition(Frame frame, LintFinding finding, SourceFile file) {
        Optional<Node> definition = definition(file, frame.line());
        return definition.isPresent()
                && definition.equals(definition(file, finding.line()))
                && frame.fileName().equals(fileName(finding));
    }

    /** The outermost class or function around a line. */
    private static Optional<Node> definition(SourceFile file, int line) {
        return file.statementAt(line)
                .flatMap(statement -> file.around(statement, node -> file.parent(node) == null))
                .filter(node -> node instanceof Stmt.ClassDef || node instanceof Stmt.FunctionDef);
    }

    /** Returns whether a dump shows that what keeps it is at the line. */
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
