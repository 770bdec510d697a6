package dev.leakline.cli;

import dev.leakline.OutOfMemory;
import dev.leakline.primitive.Printable;
import dev.leakline.read.ReadException;
import dev.leakline.read.ReadException.Code;
import dev.leakline.result.OutOfMemoryLog;
import java.io.IOException;
import java.util.EnumSet;
import java.util.Set;

/** Tells of the command that reads logs, where a file that is no snapshot is one that it would find something in. */
final class LogAdvice {
    /** What readers of snapshots say of a log, which may begin like JSON. */
    private static final Set<Code> NOT_READ = EnumSet.of(Code.NOT_A_SNAPSHOT, Code.DAMAGED, Code.TRUNCATED);

    private LogAdvice() {}

    /** Looks at a file that could not be read. */
    static void give(String file, IOException failure) {
        boolean mayBeLog = failure instanceof ReadException known && NOT_READ.contains(known.code());
        if (mayBeLog && !file.equals("-") && messages(file) > 0) {
            Terminal.err()
                    .println("leakline: it is a log with out-of-memory messages; leakline oom " + Printable.of(file)
                            + " explains them");
        }
    }

    private static long messages(String file) {
        try {
            OutOfMemoryLog log =
                    OutOfMemory.open(InputFiles.path(file), _ -> {}).log();
            return log == null ? 0 : log.count();
        } catch (IOException e) {
            return 0;
        }
    }
}
