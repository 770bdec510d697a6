package dev.leakline;

import dev.leakline.holders.HolderAnalysis;
import dev.leakline.objects.ObjectGraph;
import dev.leakline.read.dump.HoldersReader;
import dev.leakline.result.Holders;
import dev.leakline.result.InputFile;
import dev.leakline.source.Source;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A dump of who refers to whom in a process, as the probe writes it. */
public final class HolderDump implements Input {
    private final String name;
    private final ObjectGraph graph;

    HolderDump(String name, ObjectGraph graph) {
        this.name = name;
        this.graph = graph;
    }

    /** Reads a file: plain, gzip or zstd. */
    public static HolderDump open(Path path) throws IOException {
        try (InputStream stream = Source.open(path)) {
            return read(path.toString(), stream);
        }
    }

    /** Reads a stream to its end; {@code name} stands for it in reports. The stream stays the caller's to close. */
    public static HolderDump read(String name, InputStream stream) throws IOException {
        return new HolderDump(name, HoldersReader.read(stream));
    }

    @Override
    public @Nullable String incomplete() {
        return graph.incomplete;
    }

    String name() {
        return name;
    }

    ObjectGraph graph() {
        return graph;
    }

    InputFile describe() {
        return HolderAnalysis.describe(name, graph);
    }

    /** Says who holds the device memory of a process, by one or more dumps of it. */
    public static Holders explain(List<HolderDump> dumps) {
        return HolderAnalysis.run(
                Analysis.version(),
                dumps.stream().map(dump -> dump.name).toList(),
                dumps.stream().map(dump -> dump.graph).toList());
    }
}
