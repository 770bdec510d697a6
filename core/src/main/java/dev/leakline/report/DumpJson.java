package dev.leakline.report;

import dev.leakline.primitive.Ints;
import dev.leakline.result.JoinedDump;
import dev.leakline.result.JoinedDump.Held;
import java.util.List;

/** What holder dumps have to do with a snapshot, as JSON. */
final class DumpJson {
    private final Json json;

    DumpJson(Json json) {
        this.json = json;
    }

    /** The properties of the dumps of a process. */
    void dump(JoinedDump dump) {
        numbers("inputs", dump.dumps());
        snapshot(dump.input());
        json.number("storages", dump.storages());
        json.number("matched", dump.matched());
        json.number("bytes", dump.bytes());
        json.number("unseen_bytes", dump.unseenBytes());
        json.objects("rest", dump.rest(), this::held);
        json.strings("notes", dump.notes());
    }

    private void snapshot(int input) {
        if (input == JoinedDump.NONE) {
            json.generator.writeNullProperty("snapshot");
        } else {
            json.number("snapshot", input);
        }
    }

    private void numbers(String name, Ints numbers) {
        json.array(name, List.of(numbers), all -> {
            for (int i = 0; i < all.size(); i++) {
                json.generator.writeNumber(all.get(i));
            }
        });
    }

    private void held(Held held) {
        json.string("signature", held.signature());
        json.string("title", held.title());
        json.constant("verdict", held.verdict());
        json.string("reason", held.reason());
        json.number("bytes", held.bytes());
        json.number("blocks", held.blocks());
        json.object("site", held.site(), json::site);
    }
}
