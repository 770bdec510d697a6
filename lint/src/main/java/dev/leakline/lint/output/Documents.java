package dev.leakline.lint.output;

import dev.leakline.lint.output.jsonb.GeneratedJsonComponent;
import io.avaje.jsonb.Jsonb;
import java.io.Writer;

/** Writes records as JSON; what writes each is generated from it when this is compiled. */
final class Documents {
    private static final Jsonb JSON =
            Jsonb.builder().add(new GeneratedJsonComponent()).build();

    private Documents() {}

    static void write(Record document, Writer out) {
        JSON.toJson(document, out);
    }
}
