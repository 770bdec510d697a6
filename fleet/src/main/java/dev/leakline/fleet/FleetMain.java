package dev.leakline.fleet;

import dev.leakline.codec.Codec;
import dev.leakline.result.FleetReport.Question;
import dev.leakline.text.Printable;
import java.io.File;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.spark.sql.SparkSession;

/**
 * The driver, in a process of its own, as {@code leakline fleet} starts it or {@code spark-submit}: {@code INPUT... --out TABLES} and the
 * options of that command, which has checked them. Prints what the tables answer as JSON.
 */
public final class FleetMain {
    private static final int USAGE = 2;
    private static final int UNREADABLE = 3;
    /** Characters of a message; a plan of Spark has thousands. */
    private static final int LONGEST = 500;
    /** Rows of an answer unless {@code --top} says otherwise. */
    private static final String MOST = "100";

    private final List<String> inputs = new ArrayList<>();
    private final Map<String, String> options = new HashMap<>();
    private final Map<String, String> settings = new HashMap<>();

    private FleetMain(String[] arguments) {
        for (int i = 0; i < arguments.length; i++) {
            if (!arguments[i].startsWith("--")) {
                inputs.add(arguments[i]);
            } else if (i + 1 == arguments.length) {
                throw new IllegalArgumentException(arguments[i] + " needs a value");
            } else if (arguments[i].equals("--conf")) {
                String[] setting = arguments[++i].split("=", 2);
                settings.put(setting[0], setting.length == 1 ? "" : setting[1]);
            } else {
                options.put(arguments[i], arguments[++i]);
            }
        }
    }

    /** Exits with 0, or 2 for wrong usage, or 3 where something could not be read or written. */
    public static void main(String[] arguments) {
        System.exit(run(arguments));
    }

    private static int run(String[] arguments) {
        try {
            new FleetMain(arguments).run();
            return 0;
        } catch (IllegalArgumentException e) {
            return fail(e, USAGE);
        } catch (IOException | RuntimeException e) {
            return fail(e, UNREADABLE);
        }
    }

    /** Prints what has gone wrong at the bottom of it, in one line: Spark wraps that, and tells where in its plan it was. */
    private static int fail(Throwable failure, int exit) {
        Throwable cause = failure;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        String what = String.valueOf(cause.getMessage()).lines().findFirst().orElse("");
        String name = cause instanceof IllegalArgumentException || cause instanceof IOException
                ? ""
                : cause.getClass().getSimpleName() + ": ";
        System.err.println("leakline: " + Printable.of(name + what, LONGEST));
        return exit;
    }

    private void run() throws IOException {
        PathLabels labels = PathLabels.of(options.getOrDefault("--path", ""));
        Question question = Question.valueOf(
                options.getOrDefault("--query", Question.SIZE.name()).toUpperCase(Locale.ROOT));
        String master = options.getOrDefault("--master", "");
        try (SparkSession spark = session(master, settings)) {
            FleetRun run = new FleetRun(spark, options.getOrDefault("--out", ""));
            int added = inputs.isEmpty() ? 0 : run.read(inputs, labels);
            int most = Integer.parseInt(options.getOrDefault("--top", MOST));
            Writer out = new OutputStreamWriter(System.out, StandardCharsets.UTF_8);
            Codec.write(run.answer(question, options.get("--since"), most, added), out);
        }
    }

    /** A session, quiet and without a server of its own; an empty master is whatever spark-submit has chosen, else all cores here. */
    static SparkSession session(String master, Map<String, String> settings) {
        SparkSession.Builder builder = SparkSession.builder()
                .appName("leakline fleet")
                .config("spark.ui.enabled", "false")
                .config("spark.sql.catalogImplementation", "in-memory")
                .config("spark.sql.parquet.compression.codec", "zstd")
                .config("spark.sql.session.timeZone", "UTC")
                .config("spark.sql.shuffle.partitions", "32");
        String chosen = master.isEmpty() ? System.getProperty("spark.master", "local[*]") : master;
        builder.master(chosen);
        if (chosen.startsWith("local")) {
            builder.config("spark.driver.host", "localhost").config("spark.driver.bindAddress", "127.0.0.1");
        }
        String ours = System.getProperty("leakline.jars", "");
        if (!ours.isEmpty()) {
            builder.config(
                    "spark.jars", Arrays.stream(ours.split(File.pathSeparator)).collect(Collectors.joining(",")));
        }
        settings.forEach(builder::config);
        return builder.getOrCreate();
    }
}
