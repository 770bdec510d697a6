package dev.leakline.report.export;

import dev.leakline.result.RecordedProfile;
import dev.leakline.result.RecordedProfile.Amount;
import dev.leakline.result.RecordedProfile.StackTotals;
import io.avaje.jsonb.Json;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A recording as speedscope reads it: of each device what was live at the peak, at the end, and all that was allocated. */
@Json
public record Speedscope(
        @Json.Property("$schema") String schema,
        String exporter,
        String name,
        int activeProfileIndex,
        Shared shared,
        List<Sampled> profiles) {
    private static final String SCHEMA = "https://www.speedscope.app/file-format-schema.json";

    /** The frames that all profiles of a file name. */
    @Json
    public record Shared(List<Place> frames) {}

    /** A frame; null is what is not known. */
    @Json
    public record Place(
            String name, @Nullable String file, @Nullable Integer line) {}

    /** A profile: stacks as numbers of frames, outermost first, and the bytes of each. */
    @Json
    public record Sampled(
            String type,
            String name,
            String unit,
            long startValue,
            long endValue,
            List<List<Integer>> samples,
            List<Long> weights) {}

    /** The file of a recording's devices. */
    public static Speedscope of(List<RecordedProfile> devices, String name, String version) {
        Map<Place, Integer> frames = new HashMap<>();
        List<Place> places = new ArrayList<>();
        List<Sampled> profiles = new ArrayList<>();
        for (RecordedProfile device : devices) {
            profiles.add(sampled(device, "live at the peak", StackTotals::peak, frames, places));
            profiles.add(sampled(device, "live at the end", StackTotals::end, frames, places));
            profiles.add(sampled(device, "allocated in all", StackTotals::allocated, frames, places));
        }
        return new Speedscope(SCHEMA, "leakline@" + version, name, 0, new Shared(places), profiles);
    }

    private static Sampled sampled(
            RecordedProfile device,
            String measure,
            Function<StackTotals, Amount> amount,
            Map<Place, Integer> frames,
            List<Place> places) {
        List<StackTotals> stacks = device.stacks().stream()
                .filter(stack -> amount.apply(stack).bytes() > 0)
                .toList();
        List<Long> weights =
                stacks.stream().map(stack -> amount.apply(stack).bytes()).toList();
        List<List<Integer>> samples = stacks.stream()
                .map(stack -> stack.frames().reversed().stream()
                        .map(frame -> new Place(
                                frame.function(),
                                frame.file().isEmpty() ? null : frame.file(),
                                frame.line() > 0 ? frame.line() : null))
                        .map(place -> number(place, frames, places))
                        .toList())
                .toList();
        long sum = weights.stream().mapToLong(Long::longValue).sum();
        return new Sampled("sampled", device.name() + ": " + measure, "bytes", 0, sum, samples, weights);
    }

    private static int number(Place place, Map<Place, Integer> frames, List<Place> places) {
        return frames.computeIfAbsent(place, _ -> {
            places.add(place);
            return places.size() - 1;
        });
    }
}
