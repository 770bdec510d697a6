package dev.leakline.lint;

import dev.leakline.Analysis;
import dev.leakline.Case;
import dev.leakline.result.Finding;
import dev.leakline.result.Frame;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Where a recording saw memory stay: findings of lint at those lines come first. */
public final class Recorded {
    private final List<Finding> grown;

    private Recorded(List<Finding> grown) {
        this.grown = grown;
    }

    public static Recorded read(Path recording) throws IOException {
        Case examined = new Case();
        examined.add(recording);
        return new Recorded(examined.judge(Analysis.Options.ALL).findings());
    }

    /** The same result with the bytes that stayed at each finding's lines, those with most first. */
    public LintResult rank(LintResult result) {
        List<LintFinding> ranked = new ArrayList<>();
        for (LintFinding finding : result.findings()) {
            ranked.add(finding.grown(bytesAt(finding)));
        }
        ranked.sort(Linter.ORDER);
        return new LintResult(ranked, result.errors(), result.files(), result.lines());
    }

    /** What was found at the line itself, or at one where what it keeps is made. */
    private long bytesAt(LintFinding finding) {
        long most = 0;
        for (Finding other : grown) {
            boolean here = Stream.concat(Stream.of(other.site().frame()), other.stack().stream())
                    .anyMatch(frame -> isAt(frame, finding));
            boolean holds = other.holders().stream()
                    .anyMatch(holder -> holder.toString().contains(place(finding)));
            if (here || holds) {
                most = Math.max(most, other.bytes());
            }
        }
        return most;
    }

    private static String place(LintFinding finding) {
        return Path.of(finding.file()).getFileName() + ":" + finding.line();
    }

    private static boolean isAt(Frame frame, LintFinding finding) {
        boolean line = (frame.line() >= finding.line()
                        && frame.line() <= finding.range().endLine())
                || finding.related().contains(frame.line());
        return line && sameFile(frame.file(), finding.file());
    }

    /** A recording may be of another machine: the last names of both paths have to be the same. */
    private static boolean sameFile(String recorded, String file) {
        Path a = Path.of(recorded.replace('\\', '/'));
        Path b = Path.of(file).toAbsolutePath().normalize();
        return a.getFileName() != null && a.getFileName().equals(b.getFileName());
    }
}
