package dev.leakline.report;

import dev.leakline.result.Holders;
import dev.leakline.result.Holders.Dump;
import dev.leakline.result.Holders.Totals;
import java.io.Writer;

/**
 * Who holds device memory as JSON, schema {@code leakline.held/1}: names in snake_case, sizes in bytes, times in Unix microseconds. Fields
 * are added in later versions, never renamed or removed.
 */
public final class HoldersJson {
    /** The schema that this class writes. */
    public static final String SCHEMA = "leakline.held/1";

    private final Json json;
    private final GroupJson groups;

    private HoldersJson(Json json) {
        this.json = json;
        this.groups = new GroupJson(json);
    }

    /** Writes a result and flushes, but does not close. */
    public static void write(Holders result, Writer out) {
        try (Json json = Json.indented(out)) {
            json.generator.writeStartObject();
            new HoldersJson(json).write(result);
            json.generator.writeEndObject();
            json.generator.writeRaw('\n');
        }
    }

    private void write(Holders result) {
        json.string("schema", SCHEMA);
        json.tool(result.toolVersion());
        json.objects("dumps", result.dumps(), this::dump);
        json.object("totals", result.totals(), this::totals);
        json.objects("groups", result.groups(), groups::group);
        json.objects("cycles", result.cycles(), groups::cycle);
        json.strings("coverage", result.coverage());
    }

    private void dump(Dump dump) {
        json.input(dump.file());
        json.string("program", dump.program());
        json.string("python", dump.python());
        json.number("pid", dump.pid());
        known("rank", dump.rank());
        known("step", dump.step());
        json.time(dump.timeMicros());
        json.number("pause_ms", dump.pauseMillis());
        json.number("objects", dump.objects());
        json.number("storages", dump.storages());
        json.number("storage_bytes", dump.bytes());
    }

    /** A number, or null for a negative one, which stands for none. */
    private void known(String name, long number) {
        json.number(name, number < 0 ? Double.NaN : number);
    }

    private void totals(Totals totals) {
        json.number("storages", totals.storages());
        json.number("bytes", totals.bytes());
        json.number("expected_bytes", totals.expectedBytes());
        json.number("named_bytes", totals.namedBytes());
        json.number("cycle_bytes", totals.cycleBytes());
        json.number("native_bytes", totals.nativeBytes());
        json.number("unseen_bytes", totals.unseenBytes());
    }
}
