package dev.leakline.report.detail;

import static dev.leakline.report.detail.ResultParts.row;

import dev.leakline.result.Detail;
import dev.leakline.result.Frame;
import dev.leakline.result.RecordedProfile;
import dev.leakline.result.RecordedProfile.Allocation;
import dev.leakline.result.RecordedProfile.Span;
import dev.leakline.result.Site;
import dev.leakline.text.ByteSize;
import dev.leakline.text.Numbers;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Parts of a recording, each found by going over all its allocations once. */
public final class RecordingParts {
    /** The parts by what their names look like. */
    static final List<String> NAMES = List.of("what-if", "FILE.py:LINE", "event:N", "step:N", "address:HEX", "stack:N");

    private static final Pattern PART =
            Pattern.compile("(?<kind>event|step|stack):(?<number>\\d{1,9})|address:(0x)?(?<address>[0-9a-fA-F]{1,16})"
                    + "|(?<file>[^:]+\\.py):(?<line>\\d{1,9})");

    private final List<RecordedProfile> devices;

    /** The parts of a recording. */
    public RecordingParts(List<RecordedProfile> devices) {
        this.devices = devices;
    }

    /** Returns whether a part is one of a recording, which no report holds. */
    public static boolean isOne(String part) {
        return part.equals("what-if") || PART.matcher(part).matches();
    }

    /** A part by its name. */
    public Detail of(String part) {
        Matcher words = PART.matcher(part);
        if (!words.matches()) {
            throw new IllegalArgumentException("'" + part + "' is no part of a recording");
        }
        if (words.group("file") != null) {
            return line(part, words.group("file"), Integer.parseInt(words.group("line")));
        }
        if (words.group("address") != null) {
            return address(part, Long.parseUnsignedLong(words.group("address"), 16));
        }
        int number = Integer.parseInt(words.group("number"));
        return switch (words.group("kind")) {
            case "event" -> live(part, number);
            case "step" -> step(part, number);
            default -> stack(part, number);
        };
    }

    /** An allocation and the device that it is on. */
    private record Block(RecordedProfile device, Allocation allocation) {}

    private List<Block> blocks(Predicate<Allocation> which) {
        List<Block> found = new ArrayList<>();
        for (RecordedProfile device : devices) {
            for (Allocation allocation : device.allocations()) {
                if (which.test(allocation)) {
                    found.add(new Block(device, allocation));
                }
            }
        }
        return found;
    }

    private Detail line(String part, String file, int line) {
        List<Block> found = blocks(block -> block.site().line() == line && isOf(block.site(), file));
        long stay = found.stream()
                .filter(block -> block.allocation.freed() == null)
                .mapToLong(block -> block.allocation.bytes())
                .sum();
        return Detail.of(
                part,
                Numbers.counted(found.size(), "block") + " allocated here, of which " + ByteSize.format(stay)
                        + " were not freed",
                found.stream().map(RecordingParts::life).toList());
    }

    private static boolean isOf(Site site, String file) {
        return site.isLine() && (site.file().equals(file) || site.file().endsWith("/" + file));
    }

    private static Map<String, @Nullable Object> life(Block block) {
        Allocation allocation = block.allocation;
        return row(
                "device", block.device.device(),
                "address", "0x" + Long.toHexString(allocation.address()),
                "bytes", allocation.bytes(),
                "born", allocation.born(),
                "freed", allocation.freed(),
                "step", allocation.step(),
                "stack", allocation.stack());
    }

    private Detail address(String part, long address) {
        List<Map<String, @Nullable Object>> rows = new ArrayList<>();
        for (Block block : blocks(each -> Long.compareUnsigned(each.address(), address) <= 0
                && Long.compareUnsigned(address, each.address() + each.bytes()) < 0)) {
            Map<String, @Nullable Object> row = life(block);
            row.put("line", block.allocation.site().brief());
            rows.add(row);
        }
        return Detail.of(part, Numbers.counted(rows.size(), "block") + " held this address, one after another", rows);
    }

    private Detail step(String part, int step) {
        List<Block> live = new ArrayList<>();
        for (RecordedProfile device : devices) {
            Optional<Span> span = device.steps().stream().skip(step).findFirst();
            span.ifPresent(found -> {
                for (Allocation allocation : device.allocations()) {
                    if (isLive(device, allocation, found.to() - 1)) {
                        live.add(new Block(device, allocation));
                    }
                }
            });
        }
        return byLine(part, "live at the end of step " + step, live);
    }

    /** Returns whether a block is live after a moment, which is a time where there are times. */
    private static boolean isLive(RecordedProfile device, Allocation allocation, long moment) {
        return device.hasTimes()
                ? isWithin(allocation.bornTimeUs(), allocation.freedTimeUs(), moment)
                : isWithin(allocation.born(), allocation.freed(), moment);
    }

    private static boolean isWithin(@Nullable Number born, @Nullable Number freed, long moment) {
        return (born == null || born.longValue() <= moment) && (freed == null || freed.longValue() > moment);
    }

    private Detail live(String part, int event) {
        return byLine(
                part,
                "live after event " + Numbers.grouped(event),
                blocks(block -> isWithin(block.born(), block.freed(), event)));
    }

    private static Detail byLine(String part, String when, List<Block> live) {
        Map<Site, long[]> sums = new HashMap<>();
        long all = 0;
        for (Block block : live) {
            long[] sum = sums.computeIfAbsent(block.allocation.site(), _ -> new long[2]);
            sum[0] += block.allocation.bytes();
            sum[1]++;
            all += block.allocation.bytes();
        }
        List<Map<String, @Nullable Object>> rows = sums.entrySet().stream()
                .sorted(Comparator.<Map.Entry<Site, long[]>>comparingLong(entry -> -entry.getValue()[0])
                        .thenComparing(Map.Entry::getKey))
                .map(entry -> row(
                        "bytes", entry.getValue()[0],
                        "blocks", entry.getValue()[1],
                        "line", entry.getKey().label()))
                .toList();
        return Detail.of(part, Numbers.amount(all, live.size(), "block") + " " + when, rows);
    }

    private Detail stack(String part, int number) {
        boolean isThere = devices.stream().anyMatch(device -> hasStack(device, number));
        List<Frame> frames = isThere ? devices.getFirst().frames().apply(number) : List.of();
        List<Map<String, @Nullable Object>> rows = frames.stream()
                .map(frame -> row("file", frame.file(), "line", frame.line(), "function", frame.function()))
                .toList();
        return Detail.of(part, rows.isEmpty() ? "no allocation has this stack" : "calls, innermost first", rows);
    }

    /** Frames are asked for no stack but one that an allocation has. */
    private static boolean hasStack(RecordedProfile device, int number) {
        for (Allocation allocation : device.allocations()) {
            if (allocation.stack() != null && allocation.stack() == number) {
                return true;
            }
        }
        return false;
    }
}
