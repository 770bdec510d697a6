package dev.leakline.cli;

import dev.leakline.HolderDump;
import dev.leakline.Input;
import dev.leakline.cli.common.OutputFormat;
import dev.leakline.cli.common.Terminal;
import dev.leakline.report.HoldersText;
import dev.leakline.result.Holders;
import java.util.List;
import picocli.CommandLine.Model.OptionSpec;

/** Prints the owners of memory from dumps alone. */
final class HolderReport {
    /** Groups that are told of in full where nobody says how many. */
    static final int DEFAULT_TOP = 10;

    private HolderReport() {}

    /** The dumps among inputs. */
    static List<HolderDump> dumps(List<Input> inputs) {
        return inputs.stream()
                .filter(HolderDump.class::isInstance)
                .map(HolderDump.class::cast)
                .toList();
    }

    /** Explains dumps, at least one, and prints that. */
    static void print(List<HolderDump> dumps, OptionSpec format, int top) {
        Holders holders = HolderDump.explain(dumps);
        OutputFormat.print(format, () -> holders, () -> HoldersText.of(holders, top, Terminal.style()));
    }
}
