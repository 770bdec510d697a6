package dev.leakline;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.leakline.codec.Codec;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.node.ObjectNode;

/** The published schema of reports, made strict: a property that it does not know is an error, where later versions may add some. */
final class ReportSchema {
    private static final Schema STRICT = strict();

    private ReportSchema() {}

    /** Fails unless a report is as its schema says. */
    static void check(String json) {
        assertThat(STRICT.validate(json, InputFormat.JSON))
                .as("breaches of the schema")
                .isEmpty();
    }

    private static Schema strict() {
        try (InputStream file = Objects.requireNonNull(
                Codec.class.getResourceAsStream("/dev/leakline/schema/report-1.schema.json"), "no schema")) {
            JsonNode schema = new ObjectMapper().readTree(file);
            close(schema);
            return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                    .getSchema(schema);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void close(JsonNode node) {
        if (node instanceof ObjectNode object && object.has("properties")) {
            object.put("additionalProperties", false);
        }
        node.forEach(ReportSchema::close);
    }
}
