package dev.leakline.cli.common;

import dev.leakline.Input;
import dev.leakline.Report;
import dev.leakline.result.AnalysisResult;
import dev.leakline.result.InputFile;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.OptionSpec;

/** A report that was written before and is to be printed again: nothing can be analysed anew, or joined to it. */
public record EarlierReport(AnalysisResult result) {
    /** The report among the inputs, null where they are all snapshots and dumps; throws where it is one of several inputs. */
    static @Nullable public EarlierReport among(List<Input> inputs) {
        for (Input input : inputs) {
            if (input instanceof Report report && inputs.size() == 1) {
                return new EarlierReport(report.result());
            }
            if (input instanceof Report) {
                throw new IllegalArgumentException("an earlier report must be the only input, but " + inputs.size()
                        + " files were given; leakline diff compares two reports");
            }
        }
        return null;
    }

    /** Fails where one of the options was given, all of which need the snapshot. */
    public void checkUsage(List<OptionSpec> options) {
        refuse(options, " needs the snapshot itself, but this is a report of " + inputs());
    }

    /** Fails where one of the options was given, and says why. */
    public static void refuse(List<OptionSpec> options, String why) {
        for (OptionSpec option : options) {
            if (option.getValue() != null && !Objects.equals(option.getValue(), option.initialValue())) {
                throw new IllegalArgumentException(option.longestName() + why);
            }
        }
    }

    private String inputs() {
        List<InputFile> inputs = result.inputs();
        return switch (inputs.size()) {
            case 0 -> "none";
            case 1 -> inputs.getFirst().path();
            default -> inputs.getFirst().path() + " and " + (inputs.size() - 1) + " more";
        };
    }
}
