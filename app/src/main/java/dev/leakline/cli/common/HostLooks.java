package dev.leakline.cli.common;

import dev.leakline.Sources;
import dev.leakline.Sources.SourceFile;
import dev.leakline.attach.ProbeOutputs;
import dev.leakline.host.HostAnalysis;
import dev.leakline.result.AnalysisResult;
import dev.leakline.result.HostMemory.OfProcess;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The files in which the probe has written what the host's memory of a process is used for: no input of an analysis, but part of a result. */
public final class HostLooks {
    private HostLooks() {}

    /** Whether a file is one, by its name. */
    public static boolean is(Path file) {
        return file.toString().endsWith(ProbeOutputs.MEMORY);
    }

    /** A result with the host's memory, where what was given is, or has, such files. */
    public static AnalysisResult with(AnalysisResult result, List<String> given, Sources sources) throws IOException {
        List<OfProcess> processes = new ArrayList<>(result.process());
        for (String name : given) {
            for (Path file : name.equals("-") ? List.<Path>of() : files(InputFiles.path(name))) {
                read(file, sources).ifPresent(processes::add);
            }
        }
        return result.withProcesses(processes);
    }

    private static List<Path> files(Path given) throws IOException {
        if (!Files.isDirectory(given)) {
            return is(given) ? List.of(given) : List.of();
        }
        try (Stream<Path> files = Files.list(given)) {
            return files.filter(HostLooks::is).sorted().toList();
        }
    }

    /** Reads a file; empty, with a word on stderr, where it cannot be read. */
    public static Optional<OfProcess> read(Path file, Sources sources) {
        try (InputStream in = Files.newInputStream(file)) {
            return HostAnalysis.of(
                    in, frame -> sources.whole(frame).map(SourceFile::text).orElse(""));
        } catch (IOException e) {
            int _ = Failures.report(e);
            return Optional.empty();
        }
    }
}
