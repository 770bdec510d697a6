package dev.leakline.detect;

import com.carrotsearch.hppc.IntArrayList;
import dev.leakline.columns.BlockColumns;
import dev.leakline.columns.BlockState;
import dev.leakline.columns.PoolTable.PoolId;
import dev.leakline.columns.SegmentColumns;
import dev.leakline.columns.SnapshotColumns;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.primitive.Ints;
import dev.leakline.primitive.Longs;
import dev.leakline.result.Picture.Blocks;
import dev.leakline.result.Picture.Segment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/** The segments of the final state and what lies in them. The largest come first where there are too many. */
final class FinalSegments {
    private static final int NONE = -1;

    private final SnapshotColumns columns;
    private final Evidence evidence;
    private final SiteFinder finder;
    private final PictureSites sites;
    private final PictureFrames frames;
    private final List<Segment> segments;
    private final int omitted;
    /** Of each block the allocation that lives in it. */
    private final int[] allocations;

    FinalSegments(
            Evidence evidence, SiteFinder finder, PictureSites sites, PictureFrames frames, PictureLimits limits) {
        this.columns = evidence.columns();
        this.evidence = evidence;
        this.finder = finder;
        this.sites = sites;
        this.frames = frames;
        this.allocations = allocations();
        List<SegmentColumns.Row> rows = rows();
        List<SegmentColumns.Row> shown = largest(rows, limits);
        this.segments = shown.stream().map(this::segment).toList();
        this.omitted = rows.size() - shown.size();
    }

    /** The segments, by address. */
    List<Segment> segments() {
        return segments;
    }

    /** Segments that were left out. */
    int omitted() {
        return omitted;
    }

    private int[] allocations() {
        Lifetimes lifetimes = evidence.lifetimes();
        int[] tenants = new int[columns.blocks.size()];
        Arrays.fill(tenants, NONE);
        for (int allocation = 0; allocation < lifetimes.count(); allocation++) {
            int block = lifetimes.block(allocation);
            if (block >= 0) {
                tenants[block] = allocation;
            }
        }
        return tenants;
    }

    private List<SegmentColumns.Row> rows() {
        return IntStream.range(0, columns.segments.size())
                .mapToObj(columns.segments::row)
                .filter(row -> row.device() == evidence.lifetimes().device())
                .sorted(Comparator.comparingLong(SegmentColumns.Row::totalSize).reversed())
                .toList();
    }

    private static List<SegmentColumns.Row> largest(List<SegmentColumns.Row> rows, PictureLimits limits) {
        List<SegmentColumns.Row> shown = new ArrayList<>();
        long blocks = 0;
        for (SegmentColumns.Row row : rows) {
            blocks += row.blockCount();
            if (blocks <= limits.blocks() && shown.size() < limits.segments()) {
                shown.add(row);
            }
        }
        shown.sort((a, b) -> Long.compareUnsigned(a.address(), b.address()));
        return shown;
    }

    private Segment segment(SegmentColumns.Row row) {
        PoolId pool = columns.pools.get(row.pool());
        return new Segment(
                row.address(),
                row.totalSize(),
                row.isLarge(),
                row.isExpandable(),
                row.pool() == 0 ? null : pool.first() + "," + pool.second(),
                row.stream(),
                blocks(row));
    }

    private Blocks blocks(SegmentColumns.Row row) {
        BlockColumns table = columns.blocks;
        int[] rows = IntStream.range(row.firstBlock(), row.firstBlock() + row.blockCount())
                .toArray();
        IntArrayList owners = new IntArrayList();
        IntArrayList stacks = new IntArrayList();
        for (int block : rows) {
            int allocation = allocations[block];
            owners.add(allocation == NONE ? NONE : sites.of(allocation));
            stacks.add(frames.stack(allocation == NONE ? 0 : finder.stack(allocation)));
        }
        return new Blocks(
                Longs.of(Arrays.stream(rows)
                        .mapToLong(block -> table.address(block) - row.address())
                        .toArray()),
                Longs.of(Arrays.stream(rows).mapToLong(table::size).toArray()),
                Ints.of(Arrays.stream(rows)
                        .map(block -> state(table.state(block)))
                        .toArray()),
                Ints.of(owners.toArray()),
                Ints.of(stacks.toArray()));
    }

    private static int state(BlockState state) {
        return switch (state) {
            case INACTIVE -> 0;
            case ALLOCATED -> 1;
            case PENDING_FREE -> 2;
        };
    }
}
