package dev.leakline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.result.JobComparison;
import dev.leakline.result.JobComparison.FirstOom;
import dev.leakline.result.JobComparison.Odd;
import dev.leakline.result.JobComparison.Rank;
import dev.leakline.result.JobSummary.UnreadableFile;
import dev.leakline.result.ProcessSummary;
import dev.leakline.testkit.Thoroughness;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.assertj.core.api.SoftAssertions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Jobs of 8 to 256 ranks whose odd ones are known: groups, odd ranks, lines, bytes, and who is out of memory first. */
class RankbenchTest {
    private static final JsonMapper JSON = new JsonMapper();
    private static final long DEVICE = 1L << 30;
    private static final double NEAR = 0.2;

    @Test
    void allThatIsKnownOfTheJobsIsSaid(@TempDir Path folder) throws IOException, InterruptedException {
        Path bench = OutsideData.path("rankbench");
        JsonNode truths = JSON.readTree(Files.readString(bench.resolve("truth.json")));
        SoftAssertions softly = new SoftAssertions();
        for (String name :
                Thoroughness.ofEachKind(List.copyOf(truths.propertyNames()), name -> kind(truths.get(name)))) {
            Path job = folder.resolve(name);
            Process made = new ProcessBuilder(
                            "python3", bench.resolve("expand.py").toString(), folder.toString(), name)
                    .inheritIO()
                    .start();
            assertThat(made.waitFor()).as("expand.py " + name).isZero();
            check(softly, name, truths.get(name), compare(job));
        }
        softly.assertAll();
    }

    private static List<Boolean> kind(JsonNode truth) {
        return List.of(
                truth.get("odd").isEmpty(),
                truth.get("first_oom").isNull(),
                truth.get("leak_ranks").isEmpty());
    }

    private static JobComparison compare(Path job) throws IOException {
        List<ProcessSummary> processes = new ArrayList<>();
        List<UnreadableFile> unreadable = new ArrayList<>();
        for (Path file : files(job)) {
            Snapshot snapshot = Snapshot.open(file);
            String incomplete = snapshot.incomplete();
            if (incomplete == null) {
                processes.add(Ranks.summarize(snapshot, file.toString()));
            } else {
                unreadable.add(new UnreadableFile(file.toString(), incomplete));
            }
        }
        return Ranks.compare(Ranks.job(processes, unreadable), DEVICE);
    }

    private static List<Path> files(Path job) throws IOException {
        try (Stream<Path> all = Files.walk(job)) {
            return all.filter(file -> file.toString().endsWith(".pickle")).toList();
        }
    }

    private static void check(SoftAssertions softly, String name, JsonNode truth, JobComparison job) {
        List<List<Integer>> groups = job.groups().stream()
                .map(group -> group.ranks())
                .sorted((one, other) -> Integer.compare(one.getFirst(), other.getFirst()))
                .toList();
        List<List<Integer>> wanted = new ArrayList<>();
        truth.get("groups").forEach(group -> wanted.add(numbers(group)));
        wanted.sort((one, other) -> Integer.compare(one.getFirst(), other.getFirst()));
        softly.assertThat(groups).as(name + ": groups").isEqualTo(wanted);
        softly.assertThat(job.leakRanks()).as(name + ": leaks").isEqualTo(numbers(truth.get("leak_ranks")));
        softly.assertThat(job.imbalance())
                .as(name + ": imbalance")
                .isBetween(
                        truth.get("imbalance").asDouble() - 0.01,
                        truth.get("imbalance").asDouble() + 0.01);
        for (Rank rank : job.ranks()) {
            long peak = truth.get("peaks").get(String.valueOf(rank.rank())).asLong();
            softly.assertThat(rank.peak()).as(name + ": peak of " + rank.rank()).isEqualTo(peak);
        }
        odd(softly, name, truth.get("odd"), job);
        end(softly, name, truth.get("first_oom"), job.firstOom());
    }

    private static void odd(SoftAssertions softly, String name, JsonNode truth, JobComparison job) {
        TreeSet<Integer> wanted = new TreeSet<>();
        truth.propertyNames().forEach(rank -> wanted.add(Integer.valueOf(rank)));
        softly.assertThat(job.odd()).extracting(Odd::rank).as(name + ": odd").containsExactlyElementsOf(wanted);
        for (Odd odd : job.odd()) {
            JsonNode sites = truth.get(String.valueOf(odd.rank()));
            String site = odd.site().file() + ":" + odd.site().line();
            if (sites != null) {
                JsonNode bytes = sites.get(site);
                softly.assertThat(bytes).as(name + ": site " + site).isNotNull();
                near(softly, name + ": bytes", (double) odd.bytes(), bytes == null ? 0 : bytes.asDouble());
            }
        }
    }

    private static void end(SoftAssertions softly, String name, JsonNode truth, @Nullable FirstOom first) {
        if (truth.isNull() || first == null) {
            softly.assertThat(first == null)
                    .as(name + ": nobody is out of memory")
                    .isEqualTo(truth.isNull());
            return;
        }
        softly.assertThat(numbers(truth.get("ranks"))).as(name).contains(first.rank());
        near(
                softly,
                name + ": steps",
                (double) first.steps(),
                truth.get("steps").asDouble());
    }

    private static void near(SoftAssertions softly, String what, double said, double wanted) {
        softly.assertThat(Math.abs(said - wanted)).as(what).isLessThanOrEqualTo(NEAR * wanted);
    }

    private static List<Integer> numbers(JsonNode list) {
        List<Integer> numbers = new ArrayList<>();
        list.forEach(number -> numbers.add(number.asInt()));
        return numbers;
    }
}
