package dev.leakline.report.html;

import dev.leakline.primitive.Ints;
import dev.leakline.primitive.Longs;
import dev.leakline.result.AnalysisResult;
import dev.leakline.result.DeviceResult;
import dev.leakline.result.DeviceResult.FailedRequest;
import dev.leakline.result.Frame;
import dev.leakline.result.Picture;
import dev.leakline.result.Picture.Allocations;
import dev.leakline.result.Picture.Calls;
import dev.leakline.result.Picture.Clock;
import dev.leakline.result.Picture.Level;
import dev.leakline.result.Picture.Moments;
import dev.leakline.result.Picture.Owner;
import dev.leakline.result.Picture.Range;
import dev.leakline.result.Picture.Segment;
import dev.leakline.result.Site;
import dev.leakline.text.Printable;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.IntToLongFunction;
import tools.jackson.core.JsonGenerator;

/**
 * Pictures as the page's script reads them. Columns are base64 of little-endian numbers: 32 bits for ints, 64 bits floating point for
 * bytes. What is many and close to each other, such as the events of allocations, is written as differences: births from the one before,
 * deaths from births. Names are those of the script, in camelCase.
 */
final class PictureJson {
    /** Failed requests that are marked; who asks again after each failure makes thousands of the same. */
    private static final int MOST_FAILURES = 1000;

    private final JsonGenerator json;
    private final AnalysisResult result;
    private final int longest;

    /** Only the beginning of strings longer than {@code longest} characters is written. */
    PictureJson(JsonGenerator json, AnalysisResult result, int longest) {
        this.json = json;
        this.result = result;
        this.longest = longest;
    }

    /** The picture of a device. */
    void picture(DeviceResult device, Picture picture) {
        json.writeStartObject();
        boolean hasTimes = device.coverage().hasTimes() && picture.events() > 0;
        json.writeNumberProperty("input", picture.input());
        json.writeNumberProperty("device", picture.device());
        json.writeNumberProperty("events", picture.events());
        known("startTimeUs", picture.startMicros(), hasTimes);
        known("endTimeUs", picture.endMicros(), hasTimes);
        objects("sites", picture.sites(), owner -> owner(owner, picture));
        array("frames", picture.frames(), this::frame);
        clock(picture.clock());
        object("timeline", () -> objects("levels", picture.levels(), this::level));
        object("calls", () -> calls(picture.calls()));
        object("allocations", () -> allocations(picture.allocations()));
        moments(picture.moments());
        object("steps", () -> ints("starts", picture.steps()));
        objects("annotations", picture.annotations(), this::range);
        object("marks", () -> marks(device));
        known("deviceBytes", picture.deviceBytes(), picture.deviceBytes() > 0);
        objects("segments", picture.segments(), this::segment);
        json.writeNumberProperty("omittedAllocations", picture.omittedAllocations());
        json.writeNumberProperty("omittedSegments", picture.omittedSegments());
        json.writeEndObject();
    }

    private <T> void array(String name, List<T> items, Consumer<T> write) {
        json.writeArrayPropertyStart(name);
        items.forEach(write);
        json.writeEndArray();
    }

    private <T> void objects(String name, List<T> items, Consumer<T> properties) {
        array(name, items, item -> {
            json.writeStartObject();
            properties.accept(item);
            json.writeEndObject();
        });
    }

    private void object(String name, Runnable properties) {
        json.writeObjectPropertyStart(name);
        properties.run();
        json.writeEndObject();
    }

    private void string(String name, String value) {
        json.writeStringProperty(name, Printable.cut(value, longest));
    }

    private void known(String name, long value, boolean isKnown) {
        if (isKnown) {
            json.writeNumberProperty(name, value);
        } else {
            json.writeNullProperty(name);
        }
    }

    private void owner(Owner owner, Picture picture) {
        Site site = owner.site();
        string("label", site == null ? "other" : site.brief());
        string("file", site == null ? "" : site.file());
        json.writeNumberProperty("line", site == null ? 0 : site.line());
        string("function", site == null ? "" : site.function());
        string("kind", site == null ? "other" : site.kind().name().toLowerCase(Locale.ROOT));
        json.writeName("stack");
        numbers(owner.stack());
        int finding = new FindingOwners(result, picture).finding(owner);
        known("finding", finding, finding >= 0);
    }

    private void frame(Frame frame) {
        json.writeStartArray();
        json.writeString(Printable.cut(frame.file(), longest));
        json.writeNumber(frame.line());
        json.writeString(Printable.cut(frame.function(), longest));
        json.writeEndArray();
    }

    private void clock(Clock clock) {
        if (clock.events().size() == 0) {
            json.writeNullProperty("clock");
            return;
        }
        object("clock", () -> {
            differences("event", clock.events().size(), clock.events()::get);
            differences("timeUs", clock.micros().size(), clock.micros()::get);
        });
    }

    private void level(Level level) {
        int buckets = level.live().size();
        json.writeNumberProperty("buckets", buckets);
        ints("firstEvent", level.firstEvents());
        numbers(
                "highest",
                buckets,
                bucket -> level.highest().get(bucket) - level.firstEvents().get(bucket));
        longs("live", level.live());
        longs("liveMin", level.least());
        longs("reserved", level.reserved());
        array("bySite", level.bySite(), column -> json.writeBinary(column.littleEndianDoubles()));
    }

    private void allocations(Allocations allocations) {
        int rows = allocations.born().size();
        differences("born", rows, allocations.born()::get);
        numbers("life", rows, row -> EventSpan.life(allocations, row));
        numbers("released", rows, row -> EventSpan.untilReleased(allocations, row));
        longs("bytes", allocations.bytes());
        longs("address", allocations.addresses());
        ints("site", allocations.sites());
        ints("call", allocations.calls());
    }

    /** Numbers that are small and alike, which take less room as digits than as bytes. */
    private void numbers(String name, int rows, IntToLongFunction column) {
        json.writeArrayPropertyStart(name);
        for (int row = 0; row < rows; row++) {
            json.writeNumber(column.applyAsLong(row));
        }
        json.writeEndArray();
    }

    /** A column of numbers that are close to the one before each; the first differs from 0. */
    private void differences(String name, int rows, IntToLongFunction column) {
        numbers(name, rows, row -> column.applyAsLong(row) - (row == 0 ? 0 : column.applyAsLong(row - 1)));
    }

    private void calls(Calls calls) {
        ints("frame", calls.frames());
        ints("parent", calls.parents());
        ints("kind", calls.kinds());
    }

    private void moments(Moments moments) {
        if (moments.events().size() == 0) {
            json.writeNullProperty("moments");
            return;
        }
        object("moments", () -> {
            int rows = moments.events().size();
            differences("event", rows, moments.events()::get);
            differences("live", rows, moments.live()::get);
            differences("reserved", rows, moments.reserved()::get);
        });
    }

    private void range(Range range) {
        string("name", range.name());
        json.writeNumberProperty("from", range.from());
        json.writeNumberProperty("to", range.to());
    }

    private void marks(DeviceResult device) {
        json.writeNumberProperty("peak", device.peak().event());
        List<FailedRequest> failed = device.outOfMemory();
        objects("oom", failed.subList(0, Math.min(failed.size(), MOST_FAILURES)), this::failure);
    }

    private void failure(FailedRequest failed) {
        json.writeNumberProperty("event", failed.event());
        json.writeNumberProperty("requested", failed.requestedBytes());
        json.writeNumberProperty("free", Math.max(failed.deviceFreeBytes(), 0));
        string("site", failed.site().brief());
    }

    private void segment(Segment segment) {
        string("address", "0x" + Long.toHexString(segment.address()));
        json.writeNumberProperty("bytes", segment.bytes());
        json.writeNumberProperty("born", segment.born());
        json.writeNumberProperty("died", segment.died());
        string("pool", segment.isLarge() ? "large" : "small");
        json.writeStringProperty("private", segment.pool());
        json.writeNumberProperty("stream", segment.stream());
        json.writeBooleanProperty("expandable", segment.isExpandable());
    }

    private void numbers(Ints numbers) {
        json.writeStartArray();
        for (int i = 0; i < numbers.size(); i++) {
            json.writeNumber(numbers.get(i));
        }
        json.writeEndArray();
    }

    private void ints(String name, Ints column) {
        json.writeBinaryProperty(name, column.littleEndian());
    }

    private void longs(String name, Longs column) {
        json.writeBinaryProperty(name, column.littleEndianDoubles());
    }
}
