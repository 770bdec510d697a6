package dev.leakline.lint.output;

import dev.leakline.lint.LintFinding;
import dev.leakline.lint.LintResult;
import dev.leakline.lint.LintResult.Unreadable;
import dev.leakline.text.ByteSize;
import dev.leakline.text.Printable;
import java.util.ArrayList;
import java.util.List;

/** A result in lines, one a finding, as compilers and other linters write them. */
public final class LintText {
    private LintText() {}

    public static List<String> of(LintResult result) {
        List<String> lines = new ArrayList<>();
        for (LintFinding finding : result.findings()) {
            String mark = finding.fix().edits().isEmpty() ? "" : finding.fix().isSafe() ? "[*] " : "[+] ";
            String grown = finding.grownBytes() == 0
                    ? ""
                    : " (%s stayed at this line)".formatted(ByteSize.format(finding.grownBytes()));
            lines.add(Printable.of("%s:%d:%d: %s %s%s%s"
                    .formatted(
                            finding.file(),
                            finding.line(),
                            finding.range().column(),
                            finding.rule().id(),
                            mark,
                            finding.message(),
                            grown)));
        }
        for (Unreadable error : result.errors()) {
            lines.add(Printable.of(
                    "%s:%d:1: error: %s".formatted(error.file(), Math.max(1, error.line()), error.message())));
        }
        lines.add(summary(result));
        return lines;
    }

    private static String summary(LintResult result) {
        if (result.files() == 0) {
            return "No file was checked: there is no Python file or notebook";
        }
        int count = result.findings().size();
        long safe = result.findings().stream()
                .filter(f -> f.fix().isSafe() && !f.fix().edits().isEmpty())
                .count();
        long all = result.findings().stream()
                .filter(f -> !f.fix().edits().isEmpty())
                .count();
        String found = count == 0 ? "No findings" : count == 1 ? "1 finding" : "%,d findings".formatted(count);
        String fixes = all == 0 ? "" : "; --fix mends %d [*], --diff shows %d more [+]".formatted(safe, all - safe);
        String errors = result.errors().isEmpty()
                ? ""
                : "; %d files are no Python as a whole"
                        .formatted(result.errors().size());
        return "%s in %,d files%s%s"
                .formatted(found, result.files(), fixes, errors)
                .replace("1 files are", "1 file is")
                .replace("in 1 files", "in 1 file");
    }
}
