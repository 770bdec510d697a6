package dev.leakline;

import dev.leakline.Analysis.Options;
import dev.leakline.result.AnalysisResult;
import dev.leakline.result.Finding;
import dev.leakline.result.Frame;
import dev.leakline.testkit.pickle.Dialect;
import dev.leakline.testkit.snapshot.SnapshotBuilder;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;

/** What the analysis says of recordings that tests make up or find. */
final class Analysed {
    private Analysed() {}

    /** What is said of a made-up recording. */
    static AnalysisResult recording(SnapshotBuilder recording) {
        return file(recording.write(Dialect.PROTOCOL_4));
    }

    /** What is said of a made-up recording of a device that has so many bytes. */
    static AnalysisResult recording(SnapshotBuilder recording, long deviceBytes) {
        return run(
                opened(recording.write(Dialect.PROTOCOL_4)),
                new Options(OptionalInt.empty(), Window.ALL, deviceBytes, Options.ALL.functions()));
    }

    /** What is said of a snapshot's tree, after a test has changed it. */
    static AnalysisResult tree(Object tree) {
        return file(Dialect.PROTOCOL_4.bytes(tree));
    }

    /** What is said of a file. */
    static AnalysisResult path(Path file) throws IOException {
        return run(Snapshot.open(file));
    }

    /** The line that the first finding blames, as {@code train.py:16}; a dash where there is none. */
    static String blamed(AnalysisResult result) {
        if (result.findings().isEmpty()) {
            return "-";
        }
        Frame frame = result.findings().getFirst().site().frame();
        return frame.fileName() + ":" + frame.line();
    }

    /** By how much the first finding grows a step; 0 where nothing does. */
    static double bytesPerStep(AnalysisResult result) {
        Finding first = result.findings().isEmpty() ? null : result.findings().getFirst();
        return first == null || first.growth() == null ? 0 : first.bytesPerStep();
    }

    private static AnalysisResult file(byte[] file) {
        return run(opened(file));
    }

    private static Snapshot opened(byte[] file) {
        try {
            return Snapshot.open(InputSource.of("snapshot.pickle", new ByteArrayInputStream(file)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static AnalysisResult run(Snapshot snapshot) {
        return run(snapshot, Options.ALL);
    }

    private static AnalysisResult run(Snapshot snapshot, Options options) {
        return Analysis.run(List.of(snapshot), options);
    }
}
