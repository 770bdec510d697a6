package dev.leakline.conclusion;

import dev.leakline.cases.CaseTexts;
import dev.leakline.cases.CaseTexts.Placed;
import dev.leakline.columns.MemorySeries;
import dev.leakline.columns.MemorySeries.Quantity;
import dev.leakline.result.Conclusion;
import dev.leakline.result.Conclusion.Evidence;
import dev.leakline.result.Conclusion.Fact;
import dev.leakline.result.Conclusion.Part;
import dev.leakline.result.Conclusion.Resource;
import dev.leakline.result.Conclusion.Unknown;
import dev.leakline.result.MeasuredSeries;
import dev.leakline.result.OutOfMemoryExplanation;
import dev.leakline.result.OutOfMemoryMessage;
import dev.leakline.result.OutOfMemoryMessage.Meaning;
import dev.leakline.source.Clue.Kind;
import dev.leakline.text.ByteSize;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Gathers the sizes of a case by name; the surest source of each comes first, and none is made up. */
final class Facts {
    /** Names of a message's sizes that are facts under another name. */
    private static final Map<String, String> NAMES =
            Map.of("unallocated", "cached", "cached", "cached", "allowed", "limit");

    private static final List<Part> USED_AND_FREE = List.of(new Part("used", 1), new Part("free", 1));

    private static final List<String> KEPT =
            List.of("requested", "free", "total", "limit", "used", "process", "allocated", "reserved", "cached");
    /** Kinds of printed sizes, which are facts by the same name. */
    private static final Set<Kind> PRINTED =
            EnumSet.of(Kind.LIMIT, Kind.USED, Kind.FREE, Kind.TOTAL, Kind.ALLOCATED, Kind.RESERVED);

    /** Two prints of one size differ by less, as one may be rounded and in decimal units. */
    private static final double ROUNDED = 0.08;

    /** How a message's sizes may come to what is outside of PyTorch's allocator, by what each version prints. */
    private static final List<String> OUTSIDE =
            List.of("process - reserved", "process - allocated - cached", "process - allocated");

    /** The same for what others hold. */
    private static final List<String> OTHERS = List.of(
            "total - free - process",
            "total - free - reserved",
            "total - free - allocated - cached",
            "total - free - allocated",
            "total - free");
    /** A slope that differs from the mean rise by less is the same for a reader. */
    private static final double SAME = 0.005;

    private final CaseTexts texts;
    private final Map<String, Fact> facts = new LinkedHashMap<>();

    Facts(CaseTexts texts) {
        this.texts = texts;
    }

    /** The facts so far, by name. */
    Map<String, Fact> all() {
        return facts;
    }

    long bytes(String name) {
        Fact fact = facts.get(name);
        return fact == null ? 0 : fact.bytes();
    }

    /** The first number of something in the texts. */
    long count(String name) {
        return texts.count(name);
    }

    /** Returns whether a fact is known. */
    boolean has(String name) {
        return facts.containsKey(name);
    }

    /** Sizes of some memory, or of any, that have names of their own. */
    void parts(@Nullable Resource resource) {
        texts.clues(Kind.PART)
                .filter(placed -> resource == null || placed.clue().resource() == resource)
                .forEach(placed -> of(placed.clue().name(), placed));
    }

    /** Adds the largest process of those that a table of the host lists, or the largest container. */
    void listed() {
        boolean areProcesses = texts.series("host_used").anyMatch(series -> series.process() >= 0);
        boolean areSeveral = texts.series("host_used").count() > 1;
        texts.series("host_used")
                .filter(series -> series.process() >= 0 == areProcesses)
                .max(CaseTexts.BY_SIZE)
                .ifPresent(series -> of(areProcesses ? "process" : areSeveral ? "largest" : "used", series));
    }

    void put(String name, long bytes, int input, long line, String text) {
        put(name, Fact.of(bytes, input, line, text));
    }

    private void put(String name, Fact fact) {
        if (fact.bytes() > 0) {
            facts.putIfAbsent(name, fact);
        }
    }

    /** Puts a fact in the place of what was there. */
    void set(String name, Fact fact) {
        facts.put(name, fact);
    }

    void of(String name, Placed placed) {
        put(
                name,
                placed.clue().bytes(),
                placed.input(),
                placed.clue().line(),
                placed.clue().text());
    }

    /** The last measurement of a figure, with its line. */
    void of(String name, MeasuredSeries series) {
        put(name, series.last().value(), series.input(), texts.line(series), series.name());
    }

    /** Adds the device's total. */
    void total(MeasuredSeries series) {
        put("total", totalOf(texts, series));
    }

    static Fact totalOf(CaseTexts texts, MeasuredSeries series) {
        Optional<Long> line = texts.source(series, Quantity.DEVICE_TOTAL).map(MemorySeries::lastLine);
        boolean isSum = freeOf(texts, series)
                .filter(free -> series.last().value() + free.bytes() == series.deviceBytes())
                .isPresent();
        return line.isEmpty() && isSum
                ? new Fact(series.deviceBytes(), series.input(), 0, "used and free", USED_AND_FREE)
                : Fact.of(series.deviceBytes(), series.input(), line.orElse(0L), "all of the device");
    }

    /** Free memory of a device as printed; what a driver keeps is neither free nor in use. */
    static Optional<Fact> freeOf(CaseTexts texts, MeasuredSeries series) {
        return series.deviceBytes() == 0
                ? Optional.empty()
                : texts.source(series, Quantity.DEVICE_FREE)
                        .map(free ->
                                Fact.of(free.value(free.size() - 1), series.input(), free.lastLine(), series.label()));
    }

    /** Adds memory in use on a device: as printed, or the total less the free. */
    private void used(MeasuredSeries series) {
        if (series.deviceBytes() > 0) {
            total(series);
        }
        Optional<Fact> free = freeOf(texts, series);
        free.ifPresent(fact -> put("free", fact));
        if (free.isPresent() && texts.line(series) == 0) {
            Sum.of("used", "total", "free", this);
        } else {
            of("used", series);
        }
        if (bytes("total") == series.deviceBytes()
                && bytes("used") == series.last().value()) {
            Sum.of("free", "total", "used", this);
        }
    }

    /** Adds the sizes in a message, and those that follow from them. */
    void of(OutOfMemoryExplanation message) {
        int input = texts.input(message);
        long line = CaseTexts.line(message);
        message.sizes().forEach((name, size) -> {
            String fact = NAMES.getOrDefault(name, name);
            if (KEPT.contains(fact)) {
                put(fact, size.bytes(), input, message.found().line(size), size.text());
            }
        });
        own(message, input, line);
        message.derived().forEach((name, derived) -> {
            if (name.equals("non_pytorch")) {
                put(name, Sum.fact(derived.bytes(), line, OUTSIDE, this));
            }
        });
        strangers(message, input, line);
    }

    /** Adds the size of this process, where it is listed as another and its own size follows. */
    private void own(OutOfMemoryExplanation message, int input, long line) {
        if (message.derived().containsKey("non_pytorch")) {
            long held = message.derived().get("non_pytorch").bytes() + bytes("allocated") + bytes("cached");
            message.found().message().figures().stream()
                    .filter(figure -> figure.meaning() == Meaning.OTHER_PROCESS)
                    .filter(figure -> Math.abs(figure.size().bytes() - held) <= SAME * held)
                    .findFirst()
                    .ifPresent(figure -> put(
                            "process",
                            figure.size().bytes(),
                            input,
                            line,
                            figure.size().text()));
        }
    }

    private void strangers(OutOfMemoryExplanation message, int input, long line) {
        // In a container this process is listed as another. Where its size is known without being printed as its own,
        // it was told from the list.
        boolean isOwn =
                message.derived().containsKey("non_pytorch") && !message.sizes().containsKey("process");
        long printed = message.found().message().figures().stream()
                .filter(figure -> figure.meaning() == Meaning.OTHER_PROCESS && !isOwn)
                .map(OutOfMemoryMessage.Figure::size)
                .mapToLong(size -> size.bytes())
                .sum();
        put("held_by_others", printed, input, line, "other processes in the message");
        for (String name : List.of("other_processes", "outside")) {
            if (message.derived().containsKey(name) && Concluder.isHeldElsewhere(message.kind())) {
                put("held_by_others", Sum.fact(message.derived().get(name).bytes(), line, OTHERS, this));
            }
        }
    }

    /** Adds the processes of a monitor's list. */
    void of(DeviceUsers users) {
        if (!users.processes().isEmpty()) {
            MeasuredSeries first = users.processes().getFirst();
            facts.remove("held_by_others");
            boolean isOne = users.processes().size() == 1;
            String text = users.processes().stream()
                    .map(process -> Occupants.named(process) + " with "
                            + ByteSize.format(process.last().value()))
                    .collect(Collectors.joining(" plus "));
            put("held_by_others", users.bytes(), first.input(), isOne ? texts.line(first) : 0, text);
        }
    }

    /** Adds the process that holds most of the host's memory. */
    void of(HostUser user) {
        MeasuredSeries process = user.process();
        put("largest_process", process.last().value(), process.input(), texts.line(process), Occupants.named(process));
    }

    /** Adds the growth per step and in all, by its first and last reading where these are printed. */
    void of(Rise growth) {
        MeasuredSeries series = growth.series();
        String name = series.quantity().replaceFirst("^(?:device|host)_", "");
        List<Part> ends = List.of();
        long first = texts.source(series, Quantity.valueOf(series.quantity().toUpperCase(Locale.ROOT)))
                .map(MemorySeries::firstLine)
                .orElse(0L);
        long last = series.last().value();
        if (texts.line(series) > 0
                && growth.total() == Math.abs(last - series.first().value())) {
            of(name, series);
            String end = bytes(name) == last ? name : "last_" + name;
            of(end, series);
            put("first_" + name, series.first().value(), series.input(), first, series.name());
            int sign = last > series.first().value() ? 1 : -1;
            ends = List.of(new Part(end, sign), new Part("first_" + name, -sign));
        }
        String per = growth.per().isEmpty() ? "" : "per " + growth.per();
        double steps = growth.perStep() == 0 ? 0 : (double) growth.total() / growth.perStep();
        boolean isMean = Math.abs(steps - Math.rint(steps)) <= SAME * steps;
        List<Part> mean =
                isMean && steps >= 1 ? List.of(new Part("growth_total", 1 / Math.rint(steps))) : List.<Part>of();
        put(
                "growth_per_step",
                new Fact(growth.perStep(), series.input(), growth.evidence().line(), per, mean));
        put(
                "growth_total",
                new Fact(
                        growth.total(),
                        series.input(),
                        growth.evidence().line(),
                        ends.isEmpty() ? "" : "the last reading less the first",
                        ends));
    }

    /** Adds the host memory in use at the last reading of what grows. */
    void last(Rise growth) {
        if (growth.resource() == Resource.HOST) {
            put("used", growth.last(), growth.evidence().input(), 0, "the last reading");
        }
    }

    /** Adds sizes from limits, tables of hosts and transcripts, for the memory that the conclusion is about. */
    void printed(@Nullable Resource resource) {
        printed(resource, 0);
    }

    /** Adds those of such sizes that stand next to a line. */
    void printed(@Nullable Resource resource, long near) {
        for (Kind kind : PRINTED) {
            String name = kind.name().toLowerCase(Locale.ROOT);
            texts.clues(kind)
                    .filter(placed -> isAbout(placed, resource))
                    .min(Comparator.comparingLong(
                            placed -> Math.abs(placed.clue().line() - near)))
                    .filter(placed -> isPossible(name, placed.clue().bytes()))
                    .ifPresent(placed -> of(name, placed));
        }
    }

    /** Returns whether a size that stands elsewhere fits what the message says; else it is of another device, or of another moment. */
    private boolean isPossible(String name, long bytes) {
        long total = bytes("total") == 0 ? Long.MAX_VALUE : Math.round(bytes("total") * (1 + ROUNDED));
        return switch (name) {
            case "used" -> bytes <= total && bytes >= bytes("process") * (1 - ROUNDED);
            case "free" -> bytes + bytes("process") <= total;
            case "allocated" -> bytes <= total;
            case "peak_allocated" -> bytes <= total && bytes >= bytes("allocated");
            case "reserved" -> bytes <= total && bytes >= bytes("allocated") * (1 - ROUNDED);
            default -> true;
        };
    }

    /** Leaves out what was free at another moment than that of a request which would have fitted into it. */
    void ofTheFailure() {
        if (bytes("requested") > 0 && bytes("free") >= bytes("requested")) {
            facts.remove("free");
        }
    }

    private static boolean isAbout(Placed placed, @Nullable Resource resource) {
        Resource of = placed.clue().resource();
        return placed.clue().kind() == Kind.LIMIT ? of == resource : of == null || resource == null || of == resource;
    }

    /** Readings that were taken once or a few times. */
    void read(@Nullable Resource resource) {
        if (resource == Resource.HOST) {
            hostsOwn();
            reading("host_used", "used");
        } else if (resource != Resource.SHARED_MEMORY) {
            boolean isReservedKnown =
                    bytes("allocated") > 0 && bytes("cached") > 0; // their sum, at the moment of the message
            reading("allocated", "allocated");
            if (!isReservedKnown) {
                reading("reserved", "reserved");
                reading("peak_reserved", "peak_reserved");
                reading("peak_allocated", "peak_allocated");
            }
            if (!isOfOtherMoment()) {
                free();
                reading("device_used", "used");
            }
            largest();
        }
        Sum.addAll("any", this);
    }

    /** Returns whether what was requested would have fitted when a monitor looked, so that it looked before the failure, or when the process had ended. */
    private boolean isOfOtherMoment() {
        long requested = bytes("requested");
        return requested > 0
                && texts.series("device_used")
                        .filter(series -> series.deviceBytes() > 0)
                        .findFirst()
                        .filter(series -> series.deviceBytes() - series.last().value() >= requested)
                        .isPresent();
    }

    /** Adds the free memory at its last reading. */
    private void free() {
        texts.series("device_free").reduce((_, last) -> last).ifPresent(series -> of("free", series));
    }

    /** Adds the whole host's memory in use, where a table has it beside its processes. */
    private void hostsOwn() {
        texts.series("host_used")
                .filter(series -> series.process() < 0)
                .filter(series -> texts.series().stream()
                        .anyMatch(other -> other.quantity().equals("host_used") && other.process() >= 0))
                .findFirst()
                .ifPresent(series -> of("used", series));
    }

    /** Adds the largest process of those that a monitor lists. */
    private void largest() {
        texts.series("process_used").max(CaseTexts.BY_SIZE).ifPresent(series -> of("process", series));
    }

    private void reading(String quantity, String name) {
        Optional<MeasuredSeries> read = texts.series(quantity).findFirst();
        boolean isOneOfMany = quantity.equals("host_used")
                && texts.series(quantity)
                                .filter(series -> series.process() >= 0)
                                .count()
                        > 1;
        // More than there is can only be a plan.
        read.filter(series -> !isOneOfMany || series.process() < 0)
                .filter(series -> isPossible(name, series.last().value()))
                .ifPresent(series -> {
                    if (name.equals("used") && quantity.equals("device_used")) {
                        used(series);
                    } else {
                        of(name, series);
                    }
                });
    }

    /** A conclusion with all facts that were noted so far. */
    Conclusion conclusion(
            Conclusion.Kind verdict,
            @Nullable Resource resource,
            String sentence,
            List<Evidence> evidence,
            Set<Unknown> unknown,
            NextSteps steps) {
        return new Conclusion(
                verdict,
                resource == null ? Resource.UNKNOWN : resource,
                sentence,
                evidence,
                all(),
                List.copyOf(unknown),
                texts.unread(),
                steps.steps());
    }
}
