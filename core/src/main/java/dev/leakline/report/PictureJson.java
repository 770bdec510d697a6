package dev.leakline.report;

import dev.leakline.primitive.Ints;
import dev.leakline.primitive.Longs;
import dev.leakline.result.AnalysisResult;
import dev.leakline.result.DeviceResult;
import dev.leakline.result.DeviceResult.FailedRequest;
import dev.leakline.result.Frame;
import dev.leakline.result.Picture;
import dev.leakline.result.Picture.Allocations;
import dev.leakline.result.Picture.Calls;
import dev.leakline.result.Picture.Level;
import dev.leakline.result.Picture.Moments;
import dev.leakline.result.Picture.Owner;
import dev.leakline.result.Picture.Range;
import dev.leakline.result.Picture.Segment;
import dev.leakline.result.Site;
import java.util.List;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Pictures as the page's script reads them. Columns are base64 of little-endian numbers: 32 bits for ints, 64 bits floating point for
 * bytes and times. The events of allocations, which are many and close to each other, are written as differences: births from the one
 * before, deaths from births. Names are those of the script, in camelCase.
 */
final class PictureJson {
    /** Failed requests that are marked; who asks again after each failure makes thousands of the same. */
    private static final int MOST_FAILURES = 1000;

    private final Json json;
    private final AnalysisResult result;

    PictureJson(Json json, AnalysisResult result) {
        this.json = json;
        this.result = result;
    }

    /** The properties of the picture of a device. */
    void picture(DeviceResult device, Picture picture) {
        boolean hasTimes = device.coverage().hasTimes() && picture.events() > 0;
        json.number("input", picture.input());
        json.number("device", picture.device());
        json.number("events", picture.events());
        known("startTimeUs", picture.startMicros(), hasTimes);
        known("endTimeUs", picture.endMicros(), hasTimes);
        json.objects("sites", picture.sites(), owner -> owner(owner, picture));
        json.array("frames", picture.frames(), this::frame);
        json.object("timeline", picture.levels(), levels -> json.objects("levels", levels, this::level));
        json.object("calls", picture.calls(), this::calls);
        json.object("allocations", picture.allocations(), this::allocations);
        json.object("moments", picture.moments().events().size() == 0 ? null : picture.moments(), this::moments);
        json.object("steps", picture.steps(), starts -> ints("starts", starts));
        json.objects("annotations", picture.annotations(), this::range);
        json.object("marks", device, this::marks);
        known("deviceBytes", picture.deviceBytes(), picture.deviceBytes() > 0);
        json.objects("segments", picture.segments(), this::segment);
        json.number("omittedSegments", picture.omitted());
    }

    private void known(String name, long value, boolean isKnown) {
        if (isKnown) {
            json.number(name, value);
        } else {
            json.generator.writeNullProperty(name);
        }
    }

    private void owner(Owner owner, Picture picture) {
        Site site = owner.site();
        json.string("label", site == null ? "other" : Labels.brief(site));
        json.frame(site == null ? new Frame("", 0, "") : site.frame());
        if (site == null) {
            json.string("kind", "other");
        } else {
            json.constant("kind", site.kind());
        }
        json.generator.writeName("stack");
        numbers(owner.stack());
        int finding = new FindingOwners(result, picture).finding(owner);
        known("finding", finding, finding >= 0);
    }

    private void frame(Frame frame) {
        json.generator.writeStartArray();
        json.generator.writeString(frame.file());
        json.generator.writeNumber(frame.line());
        json.generator.writeString(frame.function());
        json.generator.writeEndArray();
    }

    private void level(Level level) {
        json.number("buckets", level.live().size());
        ints("firstEvent", level.firstEvents());
        longs("timeUs", level.micros());
        longs("live", level.live());
        longs("liveMin", level.least());
        longs("reserved", level.reserved());
        json.array("bySite", level.bySite(), column -> json.generator.writeBinary(column.littleEndianDoubles()));
    }

    private void allocations(Allocations allocations) {
        int rows = allocations.born().size();
        numbers(
                "born",
                rows,
                row -> allocations.born().get(row)
                        - (row == 0 ? 0 : allocations.born().get(row - 1)));
        numbers("life", rows, row -> sinceBirth(allocations, allocations.died(), row, 0));
        numbers("released", rows, row -> sinceBirth(allocations, allocations.released(), row, 1));
        longs("bytes", allocations.bytes());
        longs("address", allocations.addresses());
        ints("site", allocations.sites());
        ints("call", allocations.calls());
        ints("grew", allocations.grew());
    }

    /** Events from birth to another event, and {@code more}, so that it is never 0: that stands for never. */
    private static int sinceBirth(Allocations allocations, Ints events, int row, int more) {
        return events.get(row) == Integer.MAX_VALUE
                ? 0
                : events.get(row) - allocations.born().get(row) + more;
    }

    /** Numbers that are small and alike, which take less room as digits than as bytes. */
    private void numbers(String name, int rows, IntUnaryOperator column) {
        json.generator.writeArrayPropertyStart(name);
        for (int row = 0; row < rows; row++) {
            json.generator.writeNumber(column.applyAsInt(row));
        }
        json.generator.writeEndArray();
    }

    private void calls(Calls calls) {
        ints("frame", calls.frames());
        ints("parent", calls.parents());
        ints("kind", calls.kinds());
    }

    private void moments(Moments moments) {
        ints("event", moments.events());
        longs("live", moments.live());
        longs("reserved", moments.reserved());
    }

    private void range(Range range) {
        json.string("name", range.name());
        json.number("from", range.from());
        json.number("to", range.to());
    }

    private void marks(DeviceResult device) {
        json.number("peak", device.peak().event());
        List<FailedRequest> failed = device.outOfMemory();
        json.objects("oom", failed.subList(0, Math.min(failed.size(), MOST_FAILURES)), this::failure);
    }

    private void failure(FailedRequest failed) {
        json.number("event", failed.event());
        json.number("requested", failed.requestedBytes());
        json.number("free", Math.max(failed.deviceFreeBytes(), 0));
        json.string("site", Labels.brief(failed.site()));
    }

    private void segment(Segment segment) {
        json.string("address", "0x" + Long.toHexString(segment.address()));
        json.number("bytes", segment.bytes());
        json.number("born", segment.born());
        json.number("died", segment.died());
        json.string("pool", segment.isLarge() ? "large" : "small");
        json.string("private", segment.pool());
        json.number("stream", segment.stream());
        json.generator.writeBooleanProperty("expandable", segment.isExpandable());
    }

    private void numbers(Ints numbers) {
        json.generator.writeStartArray();
        for (int i = 0; i < numbers.size(); i++) {
            json.generator.writeNumber(numbers.get(i));
        }
        json.generator.writeEndArray();
    }

    private void ints(String name, Ints column) {
        json.generator.writeBinaryProperty(name, column.littleEndian());
    }

    private void longs(String name, @Nullable Longs column) {
        if (column == null) {
            json.generator.writeNullProperty(name);
        } else {
            json.generator.writeBinaryProperty(name, column.littleEndianDoubles());
        }
    }
}
