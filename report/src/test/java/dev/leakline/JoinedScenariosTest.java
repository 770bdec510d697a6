package dev.leakline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.leakline.Analysis.Options;
import dev.leakline.report.TextReport;
import dev.leakline.report.terminal.Style;
import dev.leakline.result.AnalysisResult;
import dev.leakline.result.Finding;
import dev.leakline.result.Finding.Severity;
import dev.leakline.result.FindingHolder;
import dev.leakline.result.Holders.Verdict;
import dev.leakline.result.JoinedDump;
import dev.leakline.testkit.holders.KnownOwners;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Snapshots and holder dumps of the same moment of the same process: the finding names the owner, and of a cycle the reference to cut. */
class JoinedScenariosTest {
    static final Path OURS = Repository.root().resolve("testkit/scenarios/holders");
    static final Path LEAKBENCH = Repository.root().resolve("core/src/test/resources/holders/leakbench");

    private static final String SNAPSHOT = ".pickle.gz";

    @TestFactory
    Stream<DynamicTest> ourFindingsNameTheirOwners() {
        return findings(OURS, KnownOwners.OURS);
    }

    @TestFactory
    Stream<DynamicTest> findingsOfLeakbenchNameTheirOwners() {
        return findings(LEAKBENCH, KnownOwners.LEAKBENCH);
    }

    private static Stream<DynamicTest> findings(Path folder, Map<String, String> owners) {
        return owners.keySet().stream()
                .sorted()
                .map(name -> dynamicTest(name, () -> check(name, joined(folder, name), owners.get(name))));
    }

    private static void check(String name, AnalysisResult result, String owner) {
        Finding finding = result.findings().getFirst();
        FindingHolder holder = finding.holders().getFirst();
        assertThat(holder.title()).startsWith(owner);
        assertThat(finding.site().frame().fileName()).isEqualTo(name + ".py");
        JoinedDump dump = result.dumps().getFirst();
        assertThat(dump.matched()).isEqualTo(dump.storages()).isPositive();
        assertThat(dump.notes())
                .as("what no tensor is, is no part of a leak")
                .noneMatch(note -> note.contains("cuBLAS"));
        String text = TextReport.of(result, new TextReport.Options(5, false, false), new Style(100, false, true));
        assertThat(text).contains("  held by  " + owner.substring(0, Math.min(owner.length(), 20)));
        String cut = KnownOwners.CUTS.get(name);
        assertThat(holder.cycle() == null).isEqualTo(cut == null);
        if (cut != null) {
            assertThat(text).contains("  cut at   " + cut);
            assertThat(finding.confidenceReasons().getFirst()).isEqualTo("a dump shows the cycle itself");
        } else if (holder.verdict() != Verdict.EXPECTED) {
            assertThat(text).contains("  root ref ");
        }
    }

    @TestFactory
    Stream<DynamicTest> nothingIsHeldAgainstProgramsThatLeakNothing() throws IOException {
        return Stream.concat(names(OURS), names(LEAKBENCH))
                .filter(path -> path.getFileName().toString().startsWith("clean_"))
                .map(path -> dynamicTest(path.getFileName().toString(), () -> checkClean(joined(path))));
    }

    private static void checkClean(AnalysisResult result) {
        assertThat(result.findings()).allMatch(finding -> finding.severity() == Severity.INFO);
        for (JoinedDump dump : result.dumps()) {
            assertThat(dump.matched()).isEqualTo(dump.storages());
            assertThat(dump.rest()).noneMatch(held -> held.verdict() == Verdict.STUCK);
        }
    }

    static AnalysisResult joined(Path folder, String name) throws IOException {
        return joined(folder.resolve(name));
    }

    /** What is said of a snapshot and a dump whose paths begin alike. */
    private static AnalysisResult joined(Path path) throws IOException {
        Snapshot snapshot = Snapshot.open(path.resolveSibling(path.getFileName() + SNAPSHOT));
        HolderDump dump = HolderDump.open(path.resolveSibling(path.getFileName() + ".holders.gz"));
        return Analysis.run(List.of(snapshot, dump), Options.ALL);
    }

    /** The snapshots of a folder, without the ends of their names. */
    static Stream<Path> names(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            List<Path> snapshots = files.filter(file -> file.toString().endsWith(SNAPSHOT))
                    .sorted()
                    .toList();
            assertThat(snapshots).isNotEmpty();
            return snapshots.stream()
                    .map(file ->
                            file.resolveSibling(file.getFileName().toString().replace(SNAPSHOT, "")));
        }
    }
}
