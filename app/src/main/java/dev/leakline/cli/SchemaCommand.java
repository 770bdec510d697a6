package dev.leakline.cli;

import dev.leakline.cli.common.Commands;
import dev.leakline.cli.common.Terminal;
import dev.leakline.codec.Codec;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** {@code leakline schema}: prints the JSON Schema of what a command writes. */
final class SchemaCommand implements Callable<Integer> {
    private static final String FOLDER = "/dev/leakline/schema/";

    private final PositionalParamSpec name = PositionalParamSpec.builder()
            .type(String.class)
            .arity("0..1")
            .paramLabel("NAME")
            .description("The name of a schema, such as report (default: list their names).")
            .build();

    /** The command as the command line sees it. */
    CommandSpec spec() {
        CommandSpec spec = Commands.spec(this, "schema", "Prints the JSON Schema of what a command writes.");
        spec.addPositional(name);
        return spec;
    }

    @Override
    public Integer call() throws IOException {
        List<String> all = read("index.txt").lines().toList();
        String wanted = name.getValue();
        Terminal.out().println(wanted == null ? String.join("\n", all) : read(file(wanted, all) + ".schema.json"));
        Terminal.out().flush();
        return 0;
    }

    /** The newest schema of a name. */
    private static String file(String wanted, List<String> all) {
        return all.stream()
                .filter(file ->
                        file.equals(wanted) || file.replaceFirst("-\\d+$", "").equals(wanted))
                .reduce((_, later) -> later)
                .orElseThrow(
                        () -> new IllegalArgumentException("there is no schema '" + wanted + "': expected " + all));
    }

    private static String read(String file) throws IOException {
        try (@Nullable InputStream in = Codec.class.getResourceAsStream(FOLDER + file)) {
            if (in == null) {
                throw new IllegalStateException(FOLDER + file + " is missing");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
