package dev.leakline.testkit.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The rules that hold in all real snapshots, checked on a tree of layout 2.1 or later with nothing pre-existing. */
final class Books {
    private final TreeMap<Long, Long> mapped = new TreeMap<>();
    private final TreeMap<Long, Long> live = new TreeMap<>();

    private Books() {}

    /** Fails unless segments add up, and are what the events lead to. */
    static void check(Object snapshot) {
        Books books = new Books();
        list(snapshot, "device_traces").forEach(trace -> ((List<?>) trace).forEach(books::replay));
        list(snapshot, "segments").forEach(Books::checkSums);
        books.checkEnd(list(snapshot, "segments"));
    }

    static List<?> list(Object dict, String key) {
        return (List<?>) ((Map<?, ?>) dict).get(key);
    }

    static long number(Object dict, String key) {
        return ((Number) ((Map<?, ?>) dict).get(key)).longValue();
    }

    static String text(Object dict, String key) {
        return (String) ((Map<?, ?>) dict).get(key);
    }

    static boolean isActive(Object block) {
        return text(block, "state").startsWith("active_");
    }

    private void replay(Object event) {
        switch (text(event, "action")) {
            case "segment_alloc", "segment_map" -> map(number(event, "addr"), number(event, "size"));
            case "segment_free", "segment_unmap" -> unmap(number(event, "addr"), number(event, "size"));
            case "alloc" -> allocate(number(event, "addr"), number(event, "size"));
            case "free_requested" -> assertThat(live).containsEntry(number(event, "addr"), number(event, "size"));
            case "free_completed" ->
                assertThat(live.remove(number(event, "addr"))).isEqualTo(number(event, "size"));
            default -> {}
        }
    }

    private void allocate(long address, long size) {
        assertThat(isMapped(address, Pool.rounded(size))).isTrue();
        assertThat(live.subMap(address, address + Pool.rounded(size))).isEmpty();
        assertThat(live.put(address, size)).isNull();
    }

    private boolean isMapped(long address, long size) {
        long from = address;
        while (from < address + size) {
            Map.Entry<Long, Long> range = mapped.floorEntry(from);
            if (range == null || range.getValue() <= from) {
                return false;
            }
            from = range.getValue();
        }
        return true;
    }

    private void map(long address, long size) {
        assertThat(mapped.subMap(address, address + size)).isEmpty();
        mapped.put(address, address + size);
    }

    private void unmap(long address, long size) {
        long end = address + size;
        assertThat(isMapped(address, size)).isTrue();
        assertThat(live.subMap(address, end)).isEmpty();
        cutAt(address);
        cutAt(end);
        mapped.subMap(address, end).clear();
    }

    private void cutAt(long address) {
        Map.Entry<Long, Long> range = mapped.lowerEntry(address);
        if (range != null && range.getValue() > address) {
            mapped.put(range.getKey(), address);
            mapped.put(address, range.getValue());
        }
    }

    private static void checkSums(Object segment) {
        long total = 0;
        long active = 0;
        long allocated = 0;
        long requested = 0;
        for (Object block : list(segment, "blocks")) {
            assertThat(number(block, "address")).isEqualTo(number(segment, "address") + total);
            assertThat(number(block, "size") % Pool.UNIT).isZero();
            total += number(block, "size");
            active += isActive(block) ? number(block, "size") : 0;
            allocated += text(block, "state").equals("active_allocated") ? number(block, "size") : 0;
            requested += isActive(block) ? number(block, "requested_size") : 0;
        }
        assertThat(List.of(total, active, allocated, requested))
                .isEqualTo(List.of(
                        number(segment, "total_size"),
                        number(segment, "active_size"),
                        number(segment, "allocated_size"),
                        number(segment, "requested_size")));
    }

    private void checkEnd(List<?> segments) {
        TreeMap<Long, Long> blocks = new TreeMap<>();
        long total = 0;
        for (Object segment : segments) {
            total += number(segment, "total_size");
            assertThat(isMapped(number(segment, "address"), number(segment, "total_size")))
                    .isTrue();
            list(segment, "blocks").stream()
                    .filter(Books::isActive)
                    .forEach(block -> blocks.put(number(block, "address"), number(block, "requested_size")));
        }
        assertThat(blocks).isEqualTo(live);
        assertThat(total).isEqualTo(sizes().stream().mapToLong(Long::longValue).sum());
    }

    private List<Long> sizes() {
        List<Long> sizes = new ArrayList<>();
        mapped.forEach((from, to) -> sizes.add(to - from));
        return sizes;
    }
}
