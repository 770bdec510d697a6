package dev.leakline.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import com.carrotsearch.hppc.IntLongHashMap;
import dev.leakline.Columns;
import dev.leakline.OutsideData;
import dev.leakline.Repository;
import dev.leakline.columns.SnapshotColumns;
import dev.leakline.lifetime.LifetimeBuilder;
import dev.leakline.lifetime.Lifetimes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The final state of a recording says how large blocks are; addresses must have told the same. */
class UncutBlocksTest {
    /** Allocations whose block is known, and those of them that hold more than their requests, rounded. */
    private record Counted(int known, int uncut) {
        Counted plus(Counted other) {
            return new Counted(known + other.known, uncut + other.uncut);
        }
    }

    @Test
    void sizesAreThoseOfTheBlocksInTheEnd() throws IOException {
        try (Stream<Path> files = Files.list(Repository.root().resolve("testkit/allocator/recorded"))) {
            Counted counted = compare(
                    files.filter(file -> file.toString().endsWith(".pickle.gz")).toList());
            assertThat(counted.known).isGreaterThan(100);
            assertThat(counted.uncut).isGreaterThan(10);
        }
    }

    @Test
    void sizesAreThoseOfTheBlocksInTheEndOfRealJobs() throws IOException {
        Counted counted = compare(OutsideData.files("corpus/snapshots", ".pickle.gz"));
        assertThat(counted.uncut).isGreaterThan(100);
    }

    @Test
    void sizesAreThoseOfTheBlocksInTheEndOfTheAllocatorsOwnTests() throws IOException {
        Counted counted = compare(OutsideData.files("allocator-golden", ".pickle.gz"));
        assertThat(counted.uncut).isGreaterThan(100);
    }

    private static Counted compare(List<Path> files) throws IOException {
        Counted counted = new Counted(0, 0);
        for (Path file : files) {
            SnapshotColumns columns = Columns.of(file);
            for (int device : LifetimeBuilder.devices(columns)) {
                counted = counted.plus(compare(file, columns, LifetimeBuilder.build(columns, device)));
            }
        }
        return counted;
    }

    private static Counted compare(Path file, SnapshotColumns columns, Lifetimes lifetimes) {
        AllocatorSettings settings = AllocatorSettings.of(columns.settings);
        IntLongHashMap sizes = UncutBlocks.sizes(columns, lifetimes);
        int known = 0;
        int uncut = 0;
        for (int allocation = 0; allocation < lifetimes.count(); allocation++) {
            int block = lifetimes.block(allocation);
            if (block >= 0 && lifetimes.born(allocation) >= 0) {
                long rounded = settings.rounding().of(lifetimes.requested(allocation));
                assertThat(sizes.getOrDefault(allocation, rounded))
                        .as("%s: allocation %d of %d", file, allocation, rounded)
                        .isEqualTo(columns.blocks.size(block));
                known++;
                uncut += columns.blocks.size(block) > rounded ? 1 : 0;
            }
        }
        return new Counted(known, uncut);
    }
}
