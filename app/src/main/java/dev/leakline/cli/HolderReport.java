package dev.leakline.cli;

import dev.leakline.HolderDump;
import dev.leakline.Input;
import dev.leakline.report.HoldersJson;
import dev.leakline.report.HoldersText;
import dev.leakline.result.Holders;
import java.util.List;

/** Who holds what, by dumps alone. */
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
    static void print(List<HolderDump> dumps, boolean isJson, int top) {
        Holders holders = HolderDump.explain(dumps);
        if (isJson) {
            HoldersJson.write(holders, Terminal.out());
        } else {
            Terminal.out().print(HoldersText.of(holders, top, Terminal.style()));
        }
        Terminal.out().flush();
    }
}
