package dev.leakline.conclusion;

import dev.leakline.cases.CaseTexts;
import dev.leakline.cases.CaseTexts.Placed;
import dev.leakline.oom.AdviceBook;
import dev.leakline.result.Conclusion;
import dev.leakline.result.Conclusion.Fact;
import dev.leakline.result.Conclusion.Resource;
import dev.leakline.result.Conclusion.Unknown;
import dev.leakline.result.MeasuredSeries;
import dev.leakline.result.MeasuredSeries.Shape;
import dev.leakline.source.Clue;
import dev.leakline.text.ByteSize;
import dev.leakline.text.Numbers;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Concludes from what texts say of a device in which nothing failed and nothing leads: a server's pool, caches, free pieces, processes
 * where one would not look for them; else what else programs print, or what is open.
 */
final class DeviceTexts {
    private static final String STEP = "step.";
    /** The beginning of the names of advice on memory that libraries keep; a mark of the library follows. */
    private static final String KEEPS = STEP + "keeps.";

    private static final String PYTORCH = "PYTORCH";
    /** Figures that an allocator prints. */
    private static final List<String> HELD = List.of("allocated", "reserved", "peak_allocated", "peak_reserved");

    private final CaseTexts texts;
    private final Facts facts;
    private final NextSteps next;
    private final DeviceUsers users;
    /** The library that the text names which keeps freed memory for its own next request; PyTorch where it names none. */
    private final String library;

    DeviceTexts(CaseTexts texts, Facts facts, NextSteps next, DeviceUsers users) {
        this.texts = texts;
        this.facts = facts;
        this.next = next;
        this.users = users;
        this.library = AdviceBook.ALL.names().stream()
                .filter(name -> name.startsWith(KEEPS) && texts.has(name.substring(KEEPS.length())))
                .findFirst()
                .orElse(KEEPS + PYTORCH);
    }

    /** The rules in the order in which they are asked: the first that has a conclusion speaks. */
    Stream<Supplier<Optional<Conclusion>>> rules() {
        return Stream.of(
                () -> StartUp.of(texts).map(this::atStart),
                () -> FreePieces.of(texts).map(this::inPieces),
                this::cached,
                this::pooled,
                this::contexts,
                () -> new Occupants(texts).largest().map(this::largest),
                () -> new Occupants(texts).unlisted().map(this::unlisted),
                () -> new Printed(texts, facts, next).first(),
                this::atOnce,
                () -> held().isPresent()
                        ? Optional.empty()
                        : ShareInUse.of(texts).map(this::share),
                this::swings,
                () -> held().map(this::held),
                this::nothing);
    }

    /** Concludes from what a program allocates at its start, on purpose, or that only part of a model is on the device. */
    private Conclusion atStart(StartUp start) {
        start.addTo(facts);
        return new Printed(texts, facts, next)
                .partlyOffloaded()
                .orElseGet(() -> facts.conclusion(
                        Conclusion.Kind.FINE,
                        Resource.DEVICE,
                        StartUp.sentence(start.program(), facts),
                        List.of(start.parts().getLast().evidence()),
                        EnumSet.of(Unknown.GROWTH),
                        next.start(start.program())));
    }

    private Conclusion inPieces(FreePieces pieces) {
        facts.read(Resource.DEVICE);
        return facts.conclusion(
                Conclusion.Kind.CACHE_NOT_LEAK,
                Resource.DEVICE,
                pieces.sentence(),
                List.of(QuietTexts.evidence(pieces.retries())),
                Set.of(),
                next.step("in-pieces"));
    }

    private Optional<Conclusion> cached() {
        facts.printed(Resource.DEVICE);
        facts.parts(Resource.DEVICE);
        facts.read(Resource.DEVICE);
        long cached = facts.bytes("cached");
        long reserved = facts.bytes("reserved");
        long spare =
                Math.min(cached, reserved - facts.bytes("peak_allocated")); // what is needed at the peak comes back
        boolean isMuch = spare >= QuietTexts.LEAST_CACHED && spare >= QuietTexts.MUCH_CACHED * reserved;
        return keeps(
                isMuch,
                ByteSize.format(cached) + " of the " + ByteSize.format(reserved) + " that "
                        + AdviceBook.ALL.title(library) + " has reserved are its cache, free for its next request"
                        + (facts.bytes("peak_allocated") > facts.bytes("allocated")
                                ? "; at its peak " + ByteSize.format(facts.bytes("peak_allocated")) + " were allocated"
                                : ""),
                Clue.Kind.RESERVED);
    }

    /** A library's pool, of which nobody says how large it is: what the process holds is far more than what the library gave out. */
    private Optional<Conclusion> pooled() {
        long held = facts.bytes("process") > 0 ? facts.bytes("process") : facts.bytes("used");
        long given = facts.bytes("allocated");
        boolean isOwn = !library.endsWith(PYTORCH) && users.processes().size() <= 1 && facts.bytes("reserved") == 0;
        boolean isMuch = held - given >= QuietTexts.LEAST_CACHED && held - given >= QuietTexts.MUCH_CACHED * held;
        return keeps(
                isOwn && given > 0 && isMuch,
                ByteSize.format(given) + " are in use of the " + ByteSize.format(held)
                        + " that are held: the rest is kept by " + AdviceBook.ALL.title(library)
                        + " for its next request",
                Clue.Kind.ALLOCATED);
    }

    /** That a library keeps memory for its next request. */
    private Optional<Conclusion> keeps(boolean isSo, String sentence, Clue.Kind evidence) {
        return !isSo
                ? Optional.empty()
                : Optional.of(facts.conclusion(
                        Conclusion.Kind.CACHE_NOT_LEAK,
                        Resource.DEVICE,
                        sentence,
                        texts.clue(evidence).map(Placed::evidence).stream().toList(),
                        EnumSet.of(Unknown.GROWTH),
                        next.step(library.substring(STEP.length()))));
    }

    private Optional<Conclusion> contexts() {
        List<MeasuredSeries> contexts = new Occupants(texts).contexts();
        return contexts.isEmpty()
                ? Optional.empty()
                : Optional.of(ofDevice(
                        Occupants.sentence(contexts),
                        contexts.getFirst(),
                        Occupants.bytes(contexts),
                        next.step("own-device")));
    }

    /** How full memory is at the moment that a monitor shows, where it prints no total. */
    private Conclusion share(ShareInUse shares) {
        texts.series("device_used")
                .filter(used -> texts.line(used) > 0
                        && texts.line(used) == shares.evidence().line())
                .max(CaseTexts.BY_SIZE)
                .ifPresent(used ->
                        facts.set("used", Fact.of(used.last().value(), used.input(), texts.line(used), used.name())));
        texts.clues(Clue.Kind.USED)
                .filter(used -> used.clue().line() == shares.evidence().line())
                .forEach(used -> facts.of("used", used));
        texts.clues(Clue.Kind.PROCESS)
                .filter(process -> process.clue().line() == shares.evidence().line())
                .forEach(process -> facts.of("process", process));
        facts.printed(shares.resource());
        facts.parts(null);
        facts.listed();
        return facts.conclusion(
                shares.verdict(),
                shares.resource(),
                shares.sentence(),
                List.of(shares.evidence()),
                EnumSet.of(Unknown.GROWTH),
                next.now(shares.verdict(), shares.monitor()));
    }

    /** Concludes that a device's memory is held where nobody would look for it; one look does not tell whether it grows. */
    private Conclusion ofDevice(String sentence, MeasuredSeries seen, long bytes, NextSteps steps) {
        facts.put("held_by_others", bytes, seen.input(), texts.line(seen), seen.name());
        return facts.conclusion(
                Moment.verdictNow(texts),
                Resource.DEVICE,
                sentence,
                List.of(QuietTexts.evidence(seen)),
                EnumSet.of(Unknown.GROWTH),
                steps);
    }

    private Conclusion largest(MeasuredSeries process) {
        Moment.of(texts).stream().limit(1).forEach(fullest -> {
            facts.set("used", fullest.used());
            facts.set("total", fullest.total());
            facts.all().remove("free");
            fullest.addFree(facts);
            Sum.of("free", "total", "used", facts);
        });
        return facts.conclusion(
                Moment.verdictNow(texts),
                Resource.DEVICE,
                ByteSize.format(process.last().value()) + " of the " + ByteSize.format(facts.bytes("used"))
                        + " in use are " + Occupants.named(process),
                List.of(QuietTexts.evidence(process)),
                EnumSet.of(Unknown.GROWTH),
                next.stopping(process));
    }

    private Conclusion unlisted(MeasuredSeries used) {
        long bytes = used.last().value();
        return ofDevice(
                ByteSize.format(bytes) + " of the device are in use, and no process is listed",
                used,
                bytes,
                next.step("leftovers"));
    }

    /** How full memory is at the moment that a monitor shows. */
    private Optional<Conclusion> atOnce() {
        List<Moment> moments = Moment.of(texts);
        return moments.isEmpty() ? Optional.empty() : Optional.of(atOnce(moments));
    }

    private Conclusion atOnce(List<Moment> moments) {
        Moment fullest = moments.getFirst();
        Conclusion.Kind verdict = Moment.verdict(moments);
        facts.all().clear(); // what was read so far is of any device
        facts.set("used", fullest.used());
        facts.set(fullest.isLimit() ? "limit" : "total", fullest.total());
        fullest.addFree(facts);
        facts.printed(fullest.resource());
        facts.parts(null);
        Optional<Placed> holder = fullest.holder(texts);
        holder.ifPresent(process -> facts.of("process", process));
        Optional<HostUser> user = Optional.empty();
        if (fullest.resource() == Resource.HOST) {
            facts.listed();
            user = HostUser.of(texts, fullest.total().bytes());
        }
        Sum.addAll("moment", facts);
        return facts.conclusion(
                verdict,
                fullest.resource(),
                Moment.sentence(moments)
                        + holder.map(Moment::held).orElse("")
                        + user.map(one -> "; " + one.named()).orElse(""),
                List.of(fullest.evidence()),
                EnumSet.of(Unknown.GROWTH),
                next.now(verdict, fullest.monitor()));
    }

    /** Describes what PyTorch has at one moment; empty where nothing was known by its name, or where it was read more often. */
    private Optional<String> held() {
        facts.parts(Resource.DEVICE);
        Sum.addAll("any", facts);
        long read = texts.series().stream().mapToLong(MeasuredSeries::points).sum();
        boolean isOfMachine = texts.unread() == null || texts.unread().count() <= read;
        return Optional.of(HELD.stream()
                        .filter(facts::has)
                        .map(name -> name.replace('_', ' ') + " " + ByteSize.format(facts.bytes(name)))
                        .collect(Collectors.joining(", ")))
                .filter(words -> isOfMachine && Moment.isOne(texts) && !words.isEmpty());
    }

    private Conclusion held(String words) {
        texts.series("host_used").findFirst().ifPresent(series -> facts.of("host_used", series));
        return facts.conclusion(
                Conclusion.Kind.FINE,
                Resource.DEVICE,
                words + ", at this moment",
                List.of(),
                EnumSet.of(Unknown.GROWTH),
                next.step("now"));
    }

    private Optional<Conclusion> nothing() {
        List<MeasuredSeries> sizes =
                texts.series().stream().filter(MeasuredSeries::isBytes).toList();
        facts.listed();
        facts.parts(null);
        facts.printed(sizes.isEmpty() ? null : CaseTexts.resource(sizes.getFirst()));
        Set<Unknown> unknown = EnumSet.of(Unknown.LINE, Unknown.GROWTH);
        if (sizes.isEmpty() && !texts.has(Clue.Kind.TOTAL)) {
            unknown.add(Unknown.RESOURCE);
        }
        Resource resource = sizes.isEmpty()
                ? texts.clue(Clue.Kind.TOTAL)
                        .map(total -> total.clue().resource())
                        .orElse(null)
                : CaseTexts.resource(sizes.getFirst());
        return Optional.of(facts.conclusion(
                Conclusion.Kind.UNDETERMINED,
                resource,
                missing(),
                List.of(),
                unknown,
                next.step(isSourceAlone() ? "lint" : sizes.isEmpty() ? "paste" : "record")));
    }

    /** A figure of enough measurements that tells neither that memory grows nor that it does not. */
    private Optional<Conclusion> swings() {
        return texts.series().stream()
                .filter(series -> series.isBytes() && series.shape() == Shape.SWINGS)
                .findFirst()
                .map(series -> facts.conclusion(
                        Conclusion.Kind.UNDETERMINED,
                        CaseTexts.resource(series),
                        series.name() + " " + series.reason(),
                        List.of(QuietTexts.evidence(series)),
                        EnumSet.of(Unknown.LINE, Unknown.GROWTH),
                        next.step("record")));
    }

    private boolean isSourceAlone() {
        return texts.has(Clue.Kind.PYTHON_SOURCE) && texts.series().isEmpty();
    }

    /** Why nothing can be concluded. */
    private String missing() {
        if (isSourceAlone()) {
            return "the text is source code in Python, whose sizes are not read: it has nothing that a program printed";
        }
        int figures = texts.series().size();
        if (figures > 0) {
            boolean areFew = texts.series().stream().allMatch(series -> series.shape() == Shape.TOO_FEW);
            return Numbers.counted(figures, "figure") + " of memory, "
                    + (areFew ? "and too few measurements to judge" : "by which whether it leaks cannot be told");
        }
        return texts.messages().isEmpty()
                ? "the text has no message about memory that ran out and no figures of memory; sentences are not read"
                : "the text has warnings of a program that went on, and no figures of memory";
    }
}
