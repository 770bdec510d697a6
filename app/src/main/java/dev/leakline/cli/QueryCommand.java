package dev.leakline.cli;

import dev.leakline.Analysis.Profiled;
import dev.leakline.Sources;
import dev.leakline.cli.common.Commands;
import dev.leakline.cli.common.Inquiry;
import dev.leakline.cli.common.OutputFormat;
import dev.leakline.codec.Codec;
import dev.leakline.report.Given;
import dev.leakline.report.export.SqlTables;
import dev.leakline.result.Detail;
import dev.leakline.source.ReadLimits;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** {@code leakline query}: asks a recording in SQL, by a database that is installed. */
final class QueryCommand implements Callable<Integer> {
    /** Stands before the question, which Python has to tell from the tables. */
    private static final String MARK = "\n--query--\n";

    private static final Pattern SELECT = Pattern.compile("(?is)\\A\\s*+(?:select|with|values)\\b.*+");
    private static final String PYTHON = "import json,sqlite3,sys\n"
            + "tables,query=sys.stdin.buffer.read().decode().rsplit('''" + MARK + "''',1)\n"
            + "db=sqlite3.connect(':memory:')\n"
            + "db.executescript(tables)\n"
            + "try:\n found=db.execute(query.strip().rstrip(';'))\n"
            + "except sqlite3.Error as e:\n sys.exit(str(e))\n"
            + "names=[c[0] for c in found.description]\n"
            + "print(json.dumps([dict(zip(names,row)) for row in found]))\n";
    /** Databases that read statements and write JSON, in a mode in which a question reaches no file and no shell. */
    private static final List<List<String>> ENGINES = List.of(
            List.of("sqlite3", "-safe", "-bail", "-json", ":memory:"),
            List.of("python3", "-I", "-c", PYTHON),
            List.of("duckdb", "-safe", "-bail", "-json", ":memory:"));

    private final PositionalParamSpec words = DetailCommand.words(
            "SELECT", "a query of the tables blocks, events, stacks, steps, findings, holders, ruled_out.");
    private final OptionSpec limit = DetailCommand.limit();
    private final OptionSpec cursor = DetailCommand.cursor();
    private final OptionSpec format = OutputFormat.option();

    /** The command as the command line sees it. */
    CommandSpec spec() {
        CommandSpec spec = Commands.spec(
                this,
                "query",
                "Queries a recording in SQL: its allocations, stacks, steps, findings and holders.",
                "Needs SQLite (sqlite3 or Python's sqlite3 module) or DuckDB on this machine.");
        spec.addPositional(words);
        List.of(limit, cursor, format).forEach(spec::addOption);
        return spec;
    }

    @Override
    public Integer call() throws IOException {
        List<String> all = words.getValue();
        List<String> files = all.subList(0, all.size() - 1);
        String query = all.getLast().strip().replaceFirst(";\\s*$", "");
        if (!SELECT.matcher(query).matches()) {
            throw new IllegalArgumentException("expected a query that begins with SELECT or WITH");
        }
        List<String> engine = engine(files.getFirst());
        int from = DetailCommand.from(cursor);
        int most = DetailCommand.from(limit);
        Inquiry inquiry = Inquiry.of(files, Sources.NONE);
        Profiled profiled = inquiry.profiled();
        String bounded = "SELECT * FROM (\n" + query + "\n) LIMIT " + (most + 1L) + " OFFSET " + from + ";\n";
        List<Map<String, @Nullable Object>> rows = ask(engine, profiled, bounded);
        Detail found = new Detail(
                Detail.SCHEMA,
                query,
                rows.size() > most ? "the first rows; more follow" : "all rows",
                rows,
                from,
                from + rows.size(),
                inquiry.next());
        String again = "query " + inquiry.given().names() + " " + Given.word(query);
        DetailCommand.print(found.page(0, most), again, limit, format);
        return 0;
    }

    /** The first engine that answers here. */
    private static List<String> engine(String file) {
        for (List<String> engine : ENGINES) {
            try {
                Process process = new ProcessBuilder(engine)
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
                try (OutputStream in = process.getOutputStream()) {
                    in.write((MARK + "SELECT 1;\n").getBytes(StandardCharsets.UTF_8));
                }
                String answer = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                if (answer.startsWith("[{")) {
                    return engine;
                }
            } catch (IOException e) {
                // it is not installed, or too old
            }
        }
        throw new IllegalArgumentException(
                "no SQLite, Python or DuckDB was found to ask; where there is one: leakline export "
                        + Given.of(file).names()
                        + " --to sql -o recording.sql, then sqlite3 recording.db < recording.sql");
    }

    private static List<Map<String, @Nullable Object>> ask(List<String> engine, Profiled profiled, String query)
            throws IOException {
        Process process = new ProcessBuilder(engine).start();
        try (OutputStream in = process.getOutputStream()) {
            new SqlTables(in).write(profiled.result(), profiled.devices());
            in.write((MARK + query).getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            // it has ended early, and says why
        }
        byte[] answer = process.getInputStream().readAllBytes();
        String trouble = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        if (!trouble.isEmpty()) {
            throw new IllegalArgumentException(
                    engine.getFirst() + ": " + trouble.lines().findFirst().orElse(""));
        }
        return answer.length == 0 ? List.of() : rows(new ByteArrayInputStream(answer));
    }

    /** The rows of an answer, a list of objects. */
    private static List<Map<String, @Nullable Object>> rows(InputStream answer) throws IOException {
        InputStream object =
                new SequenceInputStream(Collections.enumeration(List.of(bytes("{\"rows\":"), answer, bytes("}"))));
        List<Map<String, @Nullable Object>> rows = new ArrayList<>();
        if (Codec.readObject(object, ReadLimits.DEFAULT).get("rows") instanceof List<?> list) {
            for (Object row : list) {
                Map<String, @Nullable Object> values = new LinkedHashMap<>();
                ((Map<?, ?>) row).forEach((name, value) -> values.put(name.toString(), value));
                rows.add(values);
            }
        }
        return rows;
    }

    private static InputStream bytes(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }
}
