package dev.leakline.read.report;

import static dev.leakline.read.report.SiteShapes.SITE;

import dev.leakline.primitive.Ints;
import dev.leakline.primitive.Longs;
import dev.leakline.result.Finding.Advice;
import dev.leakline.result.FindingHolder;
import dev.leakline.result.Holders.Accumulation;
import dev.leakline.result.Holders.Cycle;
import dev.leakline.result.Holders.Group;
import dev.leakline.result.Holders.Growth;
import dev.leakline.result.Holders.Hop;
import dev.leakline.result.Holders.Owner;
import dev.leakline.result.Holders.Verdict;
import dev.leakline.result.JoinedDump;
import dev.leakline.result.JoinedDump.Held;
import dev.leakline.result.Site;
import dev.leakline.source.JsonInput;
import dev.leakline.source.JsonObject;
import dev.leakline.source.ReadException;
import java.util.List;

/** How is read who holds what, and what to do about it. */
final class HolderShapes {
    static final Shape<Advice> ADVICE = new Shape<>(json -> new Advice(
            json.text("action"),
            json.text("why"),
            json.number("expected_bytes"),
            json.text("before"),
            json.text("after"),
            json.text("link")));

    private static final Shape<Hop> HOP = new Shape<>(json -> new Hop(
            json.text("label"),
            json.text("type"),
            json.text("text"),
            json.constant("verdict", Verdict.class),
            json.text("reason"),
            json.truth("suspect")));

    private static final Shape<Accumulation> ACCUMULATION = new Shape<>(json ->
            new Accumulation(json.count("hop"), json.number("items"), json.count("storages"), json.number("bytes")));

    private static final Shape<Growth> GROWTH =
            numbers(new Shape<>(HolderShapes::growth), "bytes", "storages", "items");

    private static final Shape<Cycle> CYCLE = new Shape<>(json -> new Cycle(
                    json.text("signature"),
                    json.count("copies"),
                    json.count("objects"),
                    json.count("storages"),
                    json.number("bytes"),
                    json.truth("collectable"),
                    hops("hops", json)))
            .withList("hops", HOP);

    static final Shape<FindingHolder> HOLDER = new Shape<>(json -> new FindingHolder(
                    json.count("input"),
                    json.number("finding_bytes"),
                    json.count("finding_blocks"),
                    group(json),
                    json.partOrNull("cycle", Cycle.class)))
            .withList("path", HOP)
            .with("accumulation", ACCUMULATION)
            .with("growth", GROWTH)
            .withList("advice", ADVICE)
            .with("cycle", CYCLE);

    private static final Shape<Held> HELD = new Shape<>(json -> new Held(
                    json.text("signature"),
                    json.text("title"),
                    json.constant("verdict", Verdict.class),
                    json.text("reason"),
                    json.number("bytes"),
                    json.count("blocks"),
                    json.partOrNull("site", Site.class)))
            .with("site", SITE);

    static final Shape<JoinedDump> DUMP = numbers(
                    new Shape<>(json -> new JoinedDump(
                            Ints.of(json.list("inputs", Long.class).stream()
                                    .mapToInt(Long::intValue)
                                    .toArray()),
                            json.count("snapshot", JoinedDump.NONE),
                            json.count("storages"),
                            json.count("matched"),
                            json.number("bytes"),
                            json.number("unseen_bytes"),
                            json.list("rest", Held.class),
                            json.list("notes", String.class))),
                    "inputs")
            .withList("rest", HELD)
            .withTexts("notes");

    private HolderShapes() {}

    private static <T> Shape<T> numbers(Shape<T> shape, String... names) {
        List.of(names).forEach(name -> shape.withList(name, JsonInput::number));
        return shape;
    }

    private static Group group(JsonObject json) throws ReadException {
        return new Group(
                json.text("signature"),
                json.text("title"),
                json.constant("owner", Owner.class),
                json.constant("verdict", Verdict.class),
                json.count("storages"),
                json.number("bytes"),
                json.number("retained_bytes"),
                json.number("shared_bytes"),
                json.number("reachable_bytes"),
                hops("path", json),
                json.partOrNull("accumulation", Accumulation.class),
                json.partOrNull("growth", Growth.class),
                json.list("advice", Advice.class));
    }

    /** A way has a beginning. */
    private static List<Hop> hops(String name, JsonObject json) throws ReadException {
        List<Hop> hops = json.list(name, Hop.class);
        if (hops.isEmpty()) {
            throw json.wrong(name, "an object at least", hops);
        }
        return hops;
    }

    /** Each dump has a number of each kind. */
    private static Growth growth(JsonObject json) throws ReadException {
        Longs bytes = longs("bytes", json);
        Longs storages = longs("storages", json);
        Longs items = longs("items", json);
        if (bytes.size() == 0 || storages.size() != bytes.size() || items.size() != bytes.size()) {
            throw json.wrong("items", "as many numbers as bytes and storages have, one at least", items.toString());
        }
        return new Growth(bytes, storages, items, json.count("new_storages"), json.truth("steady"));
    }

    private static Longs longs(String name, JsonObject json) throws ReadException {
        return Longs.of(
                json.list(name, Long.class).stream().mapToLong(Long::longValue).toArray());
    }
}
