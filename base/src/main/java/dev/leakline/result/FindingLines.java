package dev.leakline.result;

import dev.leakline.text.ByteSize;
import dev.leakline.text.Numbers;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The figures of a finding in labelled lines. */
final class FindingLines {
    /** A forecast beyond this many steps, those of a long job, is left out. */
    private static final double FAR = 1e6;

    private static final double MICROS = 1e6;

    private final Finding finding;
    private final List<Line> lines = new ArrayList<>();
    /** The lines that matter first, without their explanations. */
    private final List<Line> figures = new ArrayList<>();

    private FindingLines(Finding finding) {
        this.finding = finding;
    }

    /** The lines; none of a finding in figures over time, whose summary has them. */
    static List<Line> of(Finding finding) {
        return List.copyOf(made(finding).lines);
    }

    /** The lines that matter first, in short. */
    static List<Line> figures(Finding finding) {
        return List.copyOf(made(finding).figures);
    }

    private static FindingLines made(Finding finding) {
        FindingLines made = new FindingLines(finding);
        made.shared();
        Growth growth = finding.growth();
        if (finding.site().kind() != Site.Kind.FIGURE) {
            made.held();
            if (growth != null) {
                made.growth(growth);
            }
        }
        return made;
    }

    /** Adds the ranks or the inputs that have the finding, where there are several. */
    private void shared() {
        String ranks = finding.ranks().isEmpty()
                ? ""
                : (finding.ranks().size() == 1 ? "rank " : "ranks ")
                        + finding.ranks().stream().map(String::valueOf).collect(Collectors.joining(", "));
        if (!ranks.isEmpty() || finding.inputs().size() > 1) {
            figure(
                    "found in",
                    ranks.isEmpty() ? Numbers.counted(finding.inputs().size(), "input") : ranks,
                    "");
        }
    }

    /** Adds the bytes that it holds; for requests and free memory the summary has them. */
    private void held() {
        if (finding.bytes() <= 0) {
            return;
        }
        String held = finding.blocks() > 0
                ? Numbers.amount(finding.bytes(), finding.blocks(), "block")
                : ByteSize.format(finding.bytes());
        switch (finding.kind()) {
            case LEAK, UNSHRINKING_CACHE -> say("held", held + since());
            case REFERENCE_CYCLE -> figure("freed", "up to " + held + " at once", "");
            case SPIKE -> figure("spike", ByteSize.format(finding.bytes()) + " more than in a usual step", "");
            case OOM, OOM_FRAGMENTATION, FRAGMENTATION, REPEATED_ALLOCATION, RESIDUAL -> {}
        }
    }

    private String since() {
        Growth growth = finding.growth();
        return growth == null || growth.firstStep() == 0
                ? ""
                : ", allocated since step " + Numbers.grouped(growth.firstStep());
    }

    private void growth(Growth growth) {
        String perSecond = Double.isFinite(finding.bytesPerSecond())
                ? ", " + ByteSize.format(finding.bytesPerSecond()) + " per second"
                : "";
        String meaning = growth.meaning().isBlank() ? "" : "; a step is " + growth.meaning();
        figure("grows", ByteSize.format(finding.bytesPerStep()) + " per step" + interval(growth) + perSecond, meaning);
        say("when", when(growth));
        if (Double.isFinite(growth.share())) {
            say("share", Numbers.percent(growth.share()) + " of all growth over those steps");
        }
        if (finding.stepsToOom() <= FAR) {
            figure("full in", Numbers.counted(Numbers.rough(finding.stepsToOom()), "step") + time(), rate(growth));
        }
    }

    /** The rate behind the forecast: other lines may leak as well, and blocks leave gaps in the segments of the allocator. */
    private String rate(Growth growth) {
        String taken = ByteSize.format(growth.takenPerStep());
        boolean isOwn = !(growth.takenPerStep() > 0) || taken.equals(ByteSize.format(finding.bytesPerStep()));
        return isOwn ? ", at this rate" : ", if all that leaks on the device goes on: it takes " + taken + " per step";
    }

    private static String interval(Growth growth) {
        String low = ByteSize.format(growth.low());
        String high = ByteSize.format(growth.high());
        return low.equals(high) ? "" : " (" + low + " to " + high + ")";
    }

    private static String when(Growth growth) {
        String first = "from step " + Numbers.grouped(growth.firstStep()) + " to ";
        String last = "step " + Numbers.grouped(growth.lastStep());
        if (growth.steps() == 0) {
            return first + last;
        }
        return growth.lastStep() >= growth.steps() - 1
                ? first + "the last, " + last
                : first + last + "; the last step is " + Numbers.grouped(growth.steps() - 1L);
    }

    private String time() {
        double seconds = finding.secondsToOom();
        return Double.isFinite(seconds) ? ", about " + Numbers.roughSpan((long) (seconds * MICROS)) : "";
    }

    private void figure(String label, String text, String more) {
        figures.add(new Line(label, text));
        say(label, text + more);
    }

    private void say(String label, String text) {
        lines.add(new Line(label, text));
    }
}
