package dev.leakline.result;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What figures say, as distinct from recordings of events.
 *
 * @param series each figure that was measured over time or steps
 * @param gaps what devices' figures say more than the allocator's
 * @param agreements whether sources that measured the same say the same
 * @param functions what function profiles say, null where there are none
 */
public record Measured(
        List<MeasuredSeries> series,
        List<MemoryGap> gaps,
        List<Agreement> agreements,
        @Nullable FunctionReport functions) {
    /** No figures. */
    public static final Measured NONE = new Measured(List.of(), List.of(), List.of(), null);
}
