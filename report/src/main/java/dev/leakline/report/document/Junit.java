package dev.leakline.report.document;

import dev.leakline.result.AnalysisResult;
import dev.leakline.result.AnalysisResult.Verdict;
import dev.leakline.result.Finding;
import dev.leakline.result.Finding.Severity;
import dev.leakline.result.Line;
import dev.leakline.result.Site;
import dev.leakline.text.Printable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Results as a report of tests, in the XML that JUnit's Ant task wrote first and that Jenkins, GitLab and others show. It is written here by hand: the JDK's
 * writer of XML would make the packages a tenth larger (module java.xml, 4.1 MB), and all there is to it are elements with escaped attributes.
 *
 * @param name of the suite
 * @param cases its test cases
 */
public record Junit(String name, List<Case> cases) {
    /** Outcomes of a case. */
    public enum Outcome {
        PASSED,
        FAILED,
        SKIPPED
    }

    /**
     * A test case.
     *
     * @param group what it belongs to, such as a kind of finding
     * @param name says what was tested
     * @param site the line that it is about; without a file where it is about none
     * @param message of a failure or a skipped case, in a sentence
     * @param details of a failure, in lines
     */
    public record Case(String group, String name, Site site, Outcome outcome, String message, String details) {}

    /** Makes the tests of a report: a case for each finding, which fails unless it is only worth knowing, and one for the verdict where no finding failed. */
    public static Junit of(AnalysisResult result) {
        List<Case> cases = new ArrayList<>();
        result.findings().stream().map(Junit::of).forEach(cases::add);
        if (cases.stream().noneMatch(one -> one.outcome == Outcome.FAILED)) {
            cases.add(verdict(result));
        }
        return new Junit("leakline report", cases);
    }

    private static Case of(Finding finding) {
        Outcome outcome = finding.severity() == Severity.INFO ? Outcome.PASSED : Outcome.FAILED;
        return of(finding, outcome, finding.site().locate(finding.title()));
    }

    /** The case of a finding, with all that is said of it as its details. */
    public static Case of(Finding finding, Outcome outcome, String message) {
        String name = finding.site().locate(finding.title()) + " [" + finding.id() + "]";
        return new Case(word(finding.kind()), name, finding.site(), outcome, message, details(finding));
    }

    private static Case verdict(AnalysisResult result) {
        Outcome outcome = switch (result.verdict()) {
            case NO_LEAK -> Outcome.PASSED;
            case UNDETERMINED -> Outcome.SKIPPED;
            case LEAK, REFERENCE_CYCLE, OOM, OOM_FRAGMENTATION -> Outcome.FAILED;
        };
        Verdict verdict = result.verdict();
        return new Case("verdict", word(verdict), NOWHERE, outcome, result.reason(), result.headline());
    }

    /** The site of a case that is about no line. */
    public static final Site NOWHERE = new Site(Site.Kind.NO_STACK, "", 0, "");

    private static String details(Finding finding) {
        List<String> lines = new ArrayList<>(List.of(finding.site().label(), finding.summary()));
        finding.lines().stream().map(Junit::line).forEach(lines::add);
        finding.holders().stream()
                .limit(1)
                .flatMap(holder -> holder.lines().stream())
                .map(Junit::line)
                .forEach(lines::add);
        finding.advice().stream()
                .limit(1)
                .map(advice -> "advice: " + advice.action() + " " + advice.why())
                .forEach(lines::add);
        return lines.stream().map(Printable::of).collect(Collectors.joining("\n"));
    }

    private static String line(Line line) {
        return line.label() + ": " + line.text();
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    /** The XML. */
    public String xml() {
        String counts = " tests=\"%d\" failures=\"%d\" errors=\"0\" skipped=\"%d\" time=\"0\""
                .formatted(cases.size(), count(Outcome.FAILED), count(Outcome.SKIPPED));
        return cases.stream()
                .map(Junit::xml)
                .collect(Collectors.joining(
                        "",
                        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites" + counts + ">\n  <testsuite"
                                + attribute("name", name) + counts + ">\n",
                        "  </testsuite>\n</testsuites>\n"));
    }

    private long count(Outcome outcome) {
        return cases.stream().filter(one -> one.outcome == outcome).count();
    }

    private static String xml(Case one) {
        String place = one.site.isLine()
                ? attribute("file", one.site.file()) + attribute("line", Integer.toString(one.site.line()))
                : "";
        String head = "    <testcase" + attribute("classname", "leakline." + one.group) + attribute("name", one.name)
                + place + " time=\"0\"";
        String message = attribute("message", one.message);
        return head
                + switch (one.outcome) {
                    case PASSED -> "/>\n";
                    case SKIPPED -> ">\n      <skipped" + message + "/>\n    </testcase>\n";
                    case FAILED ->
                        ">\n      <failure" + message + attribute("type", one.group) + ">" + escaped(one.details)
                                + "</failure>\n    </testcase>\n";
                };
    }

    private static String attribute(String name, String value) {
        return " " + name + "=\"" + escaped(value.replace("\n", " ")) + '"';
    }

    /** Replaces XML's markup by entities, and makes visible what XML cannot hold at all. */
    private static String escaped(String text) {
        return text.lines()
                .map(Printable::of)
                .collect(Collectors.joining("\n"))
                .replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
