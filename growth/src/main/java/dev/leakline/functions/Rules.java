package dev.leakline.functions;

import dev.leakline.functions.Rules.GapSample;
import dev.leakline.result.Acquittal;
import dev.leakline.result.FunctionReport.Gap;
import dev.leakline.result.FunctionReport.Insight;
import dev.leakline.result.FunctionReport.Score;
import java.util.List;

/** A set of rules that judges the calls of functions. */
public interface Rules {
    /**
     * The result of judging the calls of a profile.
     *
     * @param found what memory does and should not; in the order of the kinds of patterns
     * @param insights what else stands out
     * @param score how well memory is used
     * @param acquittals what looks like a leak but is not
     * @param calls how many calls or rounds the question of a leak was decided by; 0 where there were too few
     * @param isOpen whether growth may hide in what they differ by
     */
    record Judged(
            List<FoundPattern> found,
            List<Insight> insights,
            Score score,
            List<Acquittal> acquittals,
            int calls,
            boolean isOpen) {}

    /**
     * A tracker's measurement of a device at one moment. Sizes in bytes.
     *
     * @param micros the time
     * @param allocated in live tensors
     * @param reserved by the allocator from the driver
     * @param used on the device, by all
     * @param total what the device has
     */
    record GapSample(double micros, long allocated, long reserved, long used, long total) {
        /** Device memory in use outside of the allocator. */
        public long gap() {
            return used - reserved;
        }
    }

    /** Judges the calls of a profile. */
    Judged judge(Profiled profiled);

    /** Device memory that the allocator does not explain. */
    List<Gap> gaps(List<GapSample> samples);

    /** Points as grades. */
    static final class Grades {
        private Grades() {}

        /** A score of 0 to 100 points with its grade. */
        public static Score score(int points, int issues) {
            String grade = grade(points);
            return new Score(points, grade, words(grade), issues);
        }

        /** The score of what is too little to judge. */
        static Score none() {
            return new Score(null, "none", "too few calls to judge", 0);
        }

        private static String grade(int points) {
            if (points >= 90) {
                return "A";
            }
            if (points >= 80) {
                return "B";
            }
            if (points >= 70) {
                return "C";
            }
            return points >= 60 ? "D" : "F";
        }

        private static String words(String grade) {
            return switch (grade) {
                case "A" -> "memory is used well";
                case "B" -> "memory is used well, with small exceptions";
                case "C" -> "memory can be saved";
                case "D" -> "memory is used badly";
                default -> "the job will run short of the memory that is wasted";
            };
        }
    }
}
