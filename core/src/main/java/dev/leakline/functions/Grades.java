package dev.leakline.functions;

import dev.leakline.result.FunctionReport.Score;

/** Points as grades. */
public final class Grades {
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
            case "B" -> "memory is used well, but for small things";
            case "C" -> "there is memory to be won";
            case "D" -> "memory is used badly";
            default -> "memory is lost that the job will miss";
        };
    }
}
