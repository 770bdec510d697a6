package dev.leakline.oom;

import dev.leakline.result.Finding.Advice;
import dev.leakline.result.OutOfMemoryExplanation.Kind;
import dev.leakline.result.OutOfMemoryMessage;
import dev.leakline.result.OutOfMemoryMessage.Device;
import dev.leakline.result.OutOfMemoryMessage.Figure;
import dev.leakline.result.OutOfMemoryMessage.Hint;
import dev.leakline.result.OutOfMemoryMessage.Meaning;
import dev.leakline.result.PrintedSize;
import dev.leakline.text.ByteSize;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Makes the advice for an out-of-memory message, the best first: the rows of {@code advice.txt} that hold for it, with its sizes. */
final class MessageAdvice {
    /** The most that Intel's driver allocates at once unless a program relaxes its limit (compute-runtime, ALLOCATIONS_GREATER_THAN_4GB.md). */
    private static final long LEVEL_ZERO = 4 * ByteSize.GIB;

    /** Two processes may be alike by chance. */
    private static final int FEWEST_COPIES = 3;
    /** Copies of a program differ by their contexts and by what each is doing: a fifth at most. */
    private static final double ALIKE = 0.8;

    /** Functions for the allocated bytes of devices other than torch.cuda's. */
    private static final Map<Device, String> COUNTERS = Map.of(
            Device.XPU, "torch.xpu.memory_allocated()",
            Device.NPU, "torch.npu.memory_allocated()",
            Device.MPS, "torch.mps.current_allocated_memory()");

    private final OutOfMemoryMessage message;
    private final MessageSizes sizes;
    private final Map<String, String> values = new HashMap<>();
    private final Set<String> facts = new HashSet<>();

    private MessageAdvice(OutOfMemoryMessage message, MessageSizes sizes, boolean hasSnapshot) {
        this.message = message;
        this.sizes = sizes;
        addValues();
        addFacts(hasSnapshot);
    }

    /** Advice for a message, by the name of what it needs, and whether a snapshot has the same failure. */
    static List<Advice> of(
            OutOfMemoryMessage message, MessageSizes sizes, Kind kind, String name, boolean hasSnapshot) {
        MessageAdvice advice = new MessageAdvice(message, sizes, hasSnapshot);
        List<Advice> all = new ArrayList<>();
        if (kind == Kind.DEVICE_OOM_OTHER_PROCESSES && advice.areAlike()) {
            all.addAll(advice.rows("torch.alike"));
        } else if (kind == Kind.DEVICE_OOM_OTHER_PROCESSES || kind == Kind.DEVICE_OOM) {
            advice.strangers(all);
        }
        if (kind == Kind.DEVICE_OOM_OTHER_PROCESSES) {
            all.addAll(advice.rows(name));
        } else {
            all.addAll(0, advice.rows(name));
        }
        return List.copyOf(all);
    }

    /** Returns whether several listed processes hold about as much as each other and as this one. */
    private boolean areAlike() {
        List<Figure> listed = sizes.listed();
        long own = sizes.reserved == null ? 0 : MessageSizes.middle(sizes.reserved);
        long least =
                listed.stream().mapToLong(figure -> figure.size().bytes()).min().orElse(0);
        long most =
                listed.stream().mapToLong(figure -> figure.size().bytes()).max().orElse(0);
        return listed.size() >= FEWEST_COPIES && own <= most && Math.min(own, least) >= ALIKE * most;
    }

    private void strangers(List<Advice> all) {
        for (Figure figure : sizes.strangers()) {
            boolean isEnough = sizes.free != null
                    && sizes.requested != null
                    && new Bounds(figure.size().least(), figure.size().most())
                            .plus(sizes.free)
                            .isSurelyAtLeast(sizes.requested);
            if (isEnough) {
                all.add(Advice.of(
                        "Check whether process " + figure.pid() + " needs the device (leakline ps, "
                                + values.get("tool") + ")",
                        "Without it, the request would have succeeded.",
                        figure.size().bytes()));
            }
        }
    }

    /** The rows that hold, the first of each step; a later one has less in its reason. */
    private List<Advice> rows(String name) {
        List<Advice> all = new ArrayList<>();
        Set<String> said = new HashSet<>();
        for (AdviceBook.Row row : AdviceBook.ALL.rows(name)) {
            String action = AdviceBook.filled(row.action(), values);
            String why = AdviceBook.filled(row.why(), values);
            if (facts.containsAll(row.needs()) && action != null && why != null && said.add(action)) {
                all.add(Advice.of(action, why, row.isOfCache() ? cached() : 0, "", "", row.link()));
            }
        }
        return all;
    }

    private long cached() {
        Bounds cached = sizes.unallocated != null ? sizes.unallocated : sizes.pools;
        return cached == null ? 0 : MessageSizes.middle(cached);
    }

    private void addValues() {
        for (Meaning meaning : Meaning.values()) {
            PrintedSize size = message.size(meaning);
            if (size != null) {
                values.put(meaning.name().toLowerCase(Locale.ROOT), ByteSize.format(size.bytes()));
            }
        }
        put("outside", sizes.outside);
        values.put("held", held());
        values.put(
                "tool",
                switch (message.device()) {
                    case HIP -> "rocm-smi";
                    case XPU -> "xpu-smi";
                    case NPU -> "npu-smi";
                    default -> "nvidia-smi";
                });
        values.put("holder", isMostlyOwn() ? "The process itself holds the memory" : shareHeld());
        if (COUNTERS.containsKey(message.device())) {
            values.put("counter", COUNTERS.get(message.device()));
        }
        if (sizes.requested != null && sizes.free != null) {
            long missing = MessageSizes.middle(sizes.requested) - MessageSizes.middle(sizes.free);
            values.put("missing", ByteSize.format(Math.max(missing, 0)));
        }
        PrintedSize free = message.size(Meaning.FREE);
        PrintedSize total = message.size(Meaning.TOTAL);
        if (free != null && total != null && free.least() > 0 && free.most() <= total.least()) {
            values.put("fraction", fraction(free.least(), total.most()));
        }
    }

    private String held() {
        return sizes.allocated == null ? "the memory" : "the " + ByteSize.format(MessageSizes.middle(sizes.allocated));
    }

    private String shareHeld() {
        return sizes.allocated == null || sizes.total == null
                ? ""
                : "PyTorch holds " + ByteSize.format(MessageSizes.middle(sizes.allocated)) + " of "
                        + ByteSize.format(MessageSizes.middle(sizes.total));
    }

    /** Returns whether most of the device is this process's, or nothing says how much that is. */
    private boolean isMostlyOwn() {
        return sizes.allocated == null || sizes.total == null || 2 * sizes.allocated.most() >= sizes.total.least();
    }

    /** The largest fraction of two digits that fits. */
    private static String fraction(long free, long total) {
        long hundredths = (long) Math.floor(100.0 * free / total);
        return hundredths / 100 + "." + (hundredths % 100 < 10 ? "0" : "") + hundredths % 100;
    }

    private void put(String name, @org.jspecify.annotations.Nullable Bounds size) {
        if (size != null) {
            values.put(name, ByteSize.format(MessageSizes.middle(size)));
        }
    }

    private void addFacts(boolean hasSnapshot) {
        facts.add(hasSnapshot ? "snapshot" : "no-snapshot");
        facts.add(message.device().name().toLowerCase(Locale.ROOT));
        boolean isHalfFree = sizes.free != null && sizes.total != null && 2 * sizes.free.most() >= sizes.total.least();
        facts.add(sizes.free != null && sizes.total != null && !isHalfFree ? "crowded" : "roomy");
        if (sizes.requested != null && sizes.requested.least() > LEVEL_ZERO) {
            facts.add("over-4g");
        }
        facts.add(halfOfRequest());
        boolean hasHint = message.hints().contains(Hint.EXPANDABLE_SEGMENTS);
        boolean isOld = message.hints().contains(Hint.MAX_SPLIT_SIZE) || message.size(Meaning.RESERVED) != null;
        facts.add(sizes.isTensorSize ? "torch-1.3" : isOld && !hasHint && !isOfProcesses() ? "torch-2.0" : "torch-2.1");
        facts.add(COUNTERS.containsKey(message.device()) ? "own-api" : "cuda-api");
        facts.add(message.device() == Device.CUDA || message.device() == Device.OTHER ? "cuda-like" : "no-cuda");
    }

    private String halfOfRequest() {
        if (sizes.requested == null || sizes.free == null) {
            return "no-sizes";
        }
        return sizes.requested.least() <= 2 * sizes.free.most() ? "half-fits" : "half-exceeds";
    }

    /** Versions from 2.1 on tell what processes use, and name what is cached. */
    private boolean isOfProcesses() {
        return message.size(Meaning.PROCESS) != null
                || message.size(Meaning.OTHER_PROCESS) != null
                || message.size(Meaning.UNALLOCATED) != null;
    }
}
