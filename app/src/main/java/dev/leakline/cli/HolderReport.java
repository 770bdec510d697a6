package dev.leakline.cli;

import dev.leakline.HolderDump;
import dev.leakline.Input;
import dev.leakline.Sources;
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

    /** Explains dumps, at least one, and prints that with the lines of sources. */
    static void print(List<HolderDump> dumps, Sources sources, OptionSpec format, int top) {
        Holders holders = sources.attach(HolderDump.explain(dumps));
        OutputFormat.print(format, () -> holders, () -> HoldersText.of(holders, top, Terminal.style()));
    }
}
