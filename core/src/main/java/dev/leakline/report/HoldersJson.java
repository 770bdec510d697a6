package dev.leakline.report;

import dev.leakline.primitive.Longs;
import dev.leakline.result.Holders;
import dev.leakline.result.Holders.Accumulation;
import dev.leakline.result.Holders.Cycle;
import dev.leakline.result.Holders.Dump;
import dev.leakline.result.Holders.Group;
import dev.leakline.result.Holders.Growth;
import dev.leakline.result.Holders.Hop;
import dev.leakline.result.Holders.Totals;
import java.io.Writer;
import java.util.List;

/**
 * Who holds device memory as JSON, schema {@code leakline.held/1}: names in snake_case, sizes in bytes, times in Unix microseconds. Fields
 * are added in later versions, never renamed or removed.
 */
public final class HoldersJson {
    /** The schema that this class writes. */
    public static final String SCHEMA = "leakline.held/1";

    private final Json json;

    private HoldersJson(Json json) {
        this.json = json;
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
        json.objects("groups", result.groups(), this::group);
        json.objects("cycles", result.cycles(), this::cycle);
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

    private void group(Group group) {
        json.string("signature", group.signature());
        json.string("title", group.title());
        json.constant("owner", group.owner());
        json.constant("verdict", group.verdict());
        json.number("storages", group.storages());
        json.number("bytes", group.bytes());
        json.number("retained_bytes", group.retainedBytes());
        json.number("shared_bytes", group.sharedBytes());
        json.number("reachable_bytes", group.reachableBytes());
        json.objects("path", group.path(), this::hop);
        json.object("accumulation", group.accumulation(), this::accumulation);
        json.object("growth", group.growth(), this::growth);
        json.objects("advice", group.advice(), new FindingJson(json)::advice);
    }

    private void hop(Hop hop) {
        json.string("label", hop.label());
        json.string("type", hop.type());
        json.string("text", hop.text());
        json.constant("verdict", hop.verdict());
        json.string("reason", hop.reason());
        json.generator.writeBooleanProperty("suspect", hop.isSuspect());
    }

    private void accumulation(Accumulation accumulation) {
        json.number("hop", accumulation.hop());
        json.number("items", accumulation.items());
        json.number("storages", accumulation.storages());
        json.number("bytes", accumulation.bytes());
    }

    private void growth(Growth growth) {
        numbers("bytes", growth.bytes());
        numbers("storages", growth.storages());
        numbers("items", growth.items());
        json.number("new_storages", growth.newStorages());
        json.generator.writeBooleanProperty("steady", growth.isSteady());
    }

    private void numbers(String name, Longs numbers) {
        json.array(name, List.of(numbers), all -> {
            for (int i = 0; i < all.size(); i++) {
                json.generator.writeNumber(all.get(i));
            }
        });
    }

    private void cycle(Cycle cycle) {
        json.string("signature", cycle.signature());
        json.number("copies", cycle.copies());
        json.number("objects", cycle.objects());
        json.number("storages", cycle.storages());
        json.number("bytes", cycle.bytes());
        json.generator.writeBooleanProperty("collectable", cycle.isCollectable());
        json.objects("hops", cycle.hops(), this::hop);
    }
}
