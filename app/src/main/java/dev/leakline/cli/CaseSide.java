package dev.leakline.cli;

import dev.leakline.Input;
import dev.leakline.Sources;
import dev.leakline.cli.common.InputFiles;
import dev.leakline.cli.common.JobRecord;
import dev.leakline.result.Comparison.Side;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One side of a comparison: a file, or the folder that a job's files were kept in.
 *
 * @param side null where nothing could be read
 * @param exit the exit code, of what was not read
 */
record CaseSide(@Nullable Side side, int exit) {
    /** Reads a side; throws {@link IllegalArgumentException} for holder dumps alone, which say nothing of growth. */
    static CaseSide read(String name) throws IOException {
        InputFiles<Input> read = InputFiles.openCase(List.of(name), null);
        if (read.inputs().isEmpty()) {
            return new CaseSide(null, read.exit());
        }
        InputFiles.refuseDumps(read.inputs());
        Sources lines = JobRecord.sources(List.of(), List.of(name));
        String named = name.equals("-") ? "standard input" : name;
        return new CaseSide(new Side(named, InputFiles.result(read.inputs(), lines)), read.exit());
    }
}
