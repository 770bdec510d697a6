package dev.leakline.fleet;

import dev.leakline.Analysis;
import dev.leakline.HolderDump;
import dev.leakline.Input;
import dev.leakline.Input.Demand;
import dev.leakline.InputSource;
import dev.leakline.Report;
import dev.leakline.Summary;
import dev.leakline.fleet.FileRow.Status;
import dev.leakline.source.HeapBudget;
import dev.leakline.source.ReadException;
import dev.leakline.source.ReadException.Code;
import dev.leakline.text.ByteSize;
import java.io.IOException;
import java.io.InputStream;
import java.io.Serializable;
import java.util.concurrent.ExecutionException;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options.OpenFileOptions;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.Row;
import org.apache.spark.util.SerializableConfiguration;

/**
 * The work of an executor on a file: reads it from where it lies, as {@code leakline report} would, and makes its row. Whatever is wrong with a
 * file is in its row and stops nothing.
 */
final class FileAnalysis implements Serializable {
    /** The tasks of an executor share its heap. */
    private static final HeapBudget HEAP = new HeapBudget();
    /** Names of files that jobs write recordings to: what is no recording and is called so was meant to be one. */
    private static final Pattern RECORDING = Pattern.compile("(?i).*\\.(pickle|pkl)(\\.gz|\\.zst|\\.zstd)?");

    private final SerializableConfiguration hadoop;

    FileAnalysis(SerializableConfiguration hadoop) {
        this.hadoop = hadoop;
    }

    /** The row of a file. */
    Row row(FleetFile file) {
        return HEAP.with(file.path(), file.bytes(), () -> analyse(file));
    }

    private Row analyse(FleetFile file) {
        try {
            return read(file);
        } catch (ReadException e) {
            return FileRow.of(file, status(file, e), String.valueOf(e.getMessage()));
        } catch (IOException e) {
            return FileRow.of(file, Status.FAILED, "read error: " + e.getMessage());
        } catch (OutOfMemoryError e) {
            String heap = ByteSize.format(Runtime.getRuntime().maxMemory());
            return FileRow.of(file, Status.FAILED, "a heap of " + heap + " is too small for it");
        } catch (RuntimeException e) {
            return FileRow.of(file, Status.UNREADABLE, "internal error in leakline, please report it: " + e);
        }
    }

    private Row read(FleetFile file) throws IOException {
        Input input = Input.open(InputSource.of(file.path(), () -> open(file)), Demand.EVIDENCE);
        if (input instanceof HolderDump || input instanceof Report || input instanceof Summary) {
            return FileRow.of(file, Status.OTHER, "it is no recording");
        }
        return FileRow.of(file, Analysis.summarize(input, file.path()));
    }

    private static Status status(FleetFile file, ReadException failure) {
        boolean isMeant = RECORDING.matcher(file.path()).matches();
        return switch (failure.code()) {
            case UNREADABLE -> Status.FAILED;
            case NOT_A_SNAPSHOT, EMPTY -> isMeant ? Status.UNREADABLE : Status.OTHER;
            case FORBIDDEN, TRUNCATED, DAMAGED, LIMIT -> Status.UNREADABLE;
        };
    }

    /** Opens a file to be read from its beginning to its end, without asking again how long it is. */
    private InputStream open(FleetFile file) throws IOException {
        Path path = new Path(file.uri());
        FileSystem system = path.getFileSystem(hadoop.value());
        try {
            return system.openFile(path)
                    .opt(
                            OpenFileOptions.FS_OPTION_OPENFILE_READ_POLICY,
                            OpenFileOptions.FS_OPTION_OPENFILE_READ_POLICY_WHOLE_FILE)
                    .opt(OpenFileOptions.FS_OPTION_OPENFILE_LENGTH, Long.toString(file.bytes()))
                    .build()
                    .get();
        } catch (ExecutionException e) {
            throw new IOException(String.valueOf(e.getCause()), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ReadException(Code.UNREADABLE, 0, "stopped");
        }
    }
}
