package dev.leakline.report;

import dev.leakline.primitive.Longs;
import dev.leakline.result.Holders.Accumulation;
import dev.leakline.result.Holders.Cycle;
import dev.leakline.result.Holders.Group;
import dev.leakline.result.Holders.Growth;
import dev.leakline.result.Holders.Hop;
import java.util.List;

/** Groups of storages and cycles as JSON, wherever they stand. */
final class GroupJson {
    private final Json json;

    GroupJson(Json json) {
        this.json = json;
    }

    /** The properties of a group. */
    void group(Group group) {
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

    /** The properties of a cycle. */
    void cycle(Cycle cycle) {
        json.string("signature", cycle.signature());
        json.number("copies", cycle.copies());
        json.number("objects", cycle.objects());
        json.number("storages", cycle.storages());
        json.number("bytes", cycle.bytes());
        json.generator.writeBooleanProperty("collectable", cycle.isCollectable());
        json.objects("hops", cycle.hops(), this::hop);
    }
}
