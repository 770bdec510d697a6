package dev.leakline.report.export;

import dev.leakline.report.export.jsonb.GeneratedJsonComponent;
import io.avaje.jsonb.Jsonb;
import java.io.OutputStream;

/** Writes the records of this package as JSON; what writes each is generated from it when this is compiled. */
public final class Exports {
    private static final Jsonb JSON =
            Jsonb.builder().add(new GeneratedJsonComponent()).build();

    private Exports() {}

    /** Writes a file of speedscope. */
    public static void write(Speedscope file, OutputStream out) {
        JSON.toJson(file, out);
    }

    /** Writes a trace. */
    public static void write(PerfettoTrace trace, OutputStream out) {
        JSON.toJson(trace, out);
    }
}
