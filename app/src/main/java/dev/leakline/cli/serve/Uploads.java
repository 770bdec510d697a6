package dev.leakline.cli.serve;

import dev.leakline.Analysis;
import dev.leakline.Input;
import dev.leakline.Input.Demand;
import dev.leakline.InputSource;
import dev.leakline.Report;
import dev.leakline.attach.PrivateFiles;
import dev.leakline.result.AnalysisResult;
import dev.leakline.source.LimitedInput;
import dev.leakline.source.ReadException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Semaphore;

/** Judges what is uploaded, one file at a time, and saves the result among the runs; the file itself is not kept. */
final class Uploads {
    /** A recording of a few million events; what is larger is read by the command, which has no copy of it. */
    static final long MOST_BYTES = 256L << 20;

    /** The file while it is judged. */
    private static final String UPLOAD = ".leakline-upload";

    private static final int TOO_LARGE = 413;
    private static final int UNREADABLE = 422;
    private static final int BUSY = 503;
    private static final int UNWRITABLE = 507;

    private final Path folder;
    private final RunStore runs;
    private final Semaphore turn = new Semaphore(1);

    Uploads(Path folder, RunStore runs) {
        this.folder = folder;
        this.runs = runs;
    }

    /** Why a file was not judged, with the status that says so. */
    static final class Refused extends IOException {
        private static final long serialVersionUID = 1;

        final int status;

        Refused(int status, String why) {
            super(why);
            this.status = status;
        }
    }

    /** Reads a file of a length that is said, or -1; answers the name of the saved result. */
    String save(String name, long length, InputStream body) throws IOException {
        if (length > MOST_BYTES) {
            throw tooLarge();
        }
        if (!turn.tryAcquire()) {
            throw new Refused(BUSY, "another file is being read; try again when it is done");
        }
        Path file = folder.resolve(UPLOAD);
        try {
            receive(body, file);
            return write(name, judged(name, file));
        } catch (ReadException | IllegalArgumentException e) {
            throw new Refused(UNREADABLE, String.valueOf(e.getMessage()));
        } finally {
            Files.deleteIfExists(file);
            turn.release();
        }
    }

    private static void receive(InputStream body, Path file) throws IOException {
        try {
            InputStream bounded = new LimitedInput(body, MOST_BYTES);
            PrivateFiles.write(file, bounded::transferTo, PrivateFiles.FILE);
        } catch (ReadException e) {
            throw tooLarge();
        }
    }

    private static Refused tooLarge() {
        return new Refused(TOO_LARGE, "larger than 256 MiB; the command reads it: leakline report --format json FILE");
    }

    private static AnalysisResult judged(String name, Path file) throws IOException {
        Input input = Input.open(InputSource.of(name, () -> Files.newInputStream(file)), Demand.EVIDENCE);
        return input instanceof Report(AnalysisResult result)
                ? result
                : Analysis.run(List.of(input), Analysis.Options.ALL);
    }

    private String write(String name, AnalysisResult result) throws IOException {
        try {
            return runs.save(name, result);
        } catch (IOException | UnsupportedOperationException e) {
            throw new Refused(UNWRITABLE, "the result cannot be saved in the folder: " + e.getMessage());
        }
    }
}
