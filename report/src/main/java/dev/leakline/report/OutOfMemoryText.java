package dev.leakline.report;

import dev.leakline.report.terminal.Labels;
import dev.leakline.report.terminal.Page;
import dev.leakline.report.terminal.Style;
import dev.leakline.result.AnalysisResult;
import dev.leakline.result.DeviceResult.FailedRequest;
import dev.leakline.result.Finding;
import dev.leakline.result.Finding.Advice;
import dev.leakline.result.InputFile;
import dev.leakline.result.OutOfMemoryExplanation;
import dev.leakline.result.OutOfMemoryExplanation.Derived;
import dev.leakline.result.OutOfMemoryExplanation.SizeCheck;
import dev.leakline.result.OutOfMemoryExplanation.SnapshotFailure;
import dev.leakline.result.OutOfMemoryLog;
import dev.leakline.result.OutOfMemoryLog.Place;
import dev.leakline.result.OutOfMemoryMessage;
import dev.leakline.result.OutOfMemoryMessage.Device;
import dev.leakline.result.OutOfMemoryMessage.Figure;
import dev.leakline.result.OutOfMemoryMessage.Form;
import dev.leakline.result.OutOfMemoryMessage.Meaning;
import dev.leakline.text.ByteSize;
import dev.leakline.text.Numbers;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Explained out-of-memory errors for people at a terminal: of each the reason first, then its sizes, then what to do. */
public final class OutOfMemoryText {
    /** Messages that are told in full; a job that retries prints hundreds, which differ in little. */
    private static final int TOLD = 10;
    /** Messages that are told in a line each. */
    private static final int LISTED = 20;
    /** Lines that are named of a message that stands in many. */
    private static final int LINES_NAMED = 5;
    /** Room for the names of sizes. */
    private static final int LABEL = 24;

    private final AnalysisResult result;
    private final Style style;
    private final Page page;

    private OutOfMemoryText(AnalysisResult result, Style style) {
        this.result = result;
        this.style = style;
        this.page = new Page(style);
    }

    /** Prints only the out-of-memory messages and failures of logs and snapshots, with a line feed after each line. */
    public static String of(AnalysisResult result, Style style) {
        OutOfMemoryText text = new OutOfMemoryText(result, style);
        result.logs().forEach(text::log);
        if (result.logs().size() < result.inputs().size()) {
            text.snapshots();
        }
        List<String> lines = text.page.lines();
        return String.join("\n", lines.getFirst().isEmpty() ? lines.subList(1, lines.size()) : lines) + "\n";
    }

    /** The messages of logs, where there are any. */
    static List<String> lines(AnalysisResult result, Style style) {
        OutOfMemoryText text = new OutOfMemoryText(result, style);
        result.logs().stream().filter(log -> log.messages() > 0).forEach(text::log);
        return text.page.lines();
    }

    private void log(OutOfMemoryLog log) {
        InputFile file = result.inputs().get(log.input());
        page.heading(file.path());
        List<OutOfMemoryExplanation> own = result.messages().stream()
                .filter(message -> result.logs().get(message.log()).input() == log.input())
                .toList();
        page.text(summary(log, own));
        if (file.incomplete() != null) {
            page.text("incomplete: " + file.incomplete(), style::warning);
        }
        mentions(log);
        own.stream().limit(TOLD).forEach(this::message);
        list(own.subList(Math.min(TOLD, own.size()), own.size()), log.omittedMessages());
    }

    private String summary(OutOfMemoryLog log, List<OutOfMemoryExplanation> own) {
        String size = Numbers.counted(log.lines(), "line") + ", "
                + ByteSize.format(result.inputs().get(log.input()).bytes());
        if (log.messages() == 0) {
            return "No out-of-memory message in " + size + ".";
        }
        long warnings = own.stream()
                .flatMap(message -> Stream.of(message.found(), message.warning()))
                .filter(found -> found != null && found.message().form() == Form.WARNING)
                .distinct()
                .mapToLong(OutOfMemoryLog.Found::count)
                .sum();
        long errors = log.messages() - warnings;
        String both = (errors == 0 ? "" : Numbers.counted(errors, "out-of-memory message"))
                + (errors == 0 || warnings == 0 ? "" : " and ")
                + (warnings == 0 ? "" : Numbers.counted(warnings, "warning") + " of the allocator");
        long distinct = log.distinctMessages();
        return both + (log.messages() == distinct ? "" : ", " + Numbers.grouped(distinct) + " distinct") + ", in "
                + size;
    }

    private void mentions(OutOfMemoryLog log) {
        if (log.mentions() > 0) {
            page.text(
                    Numbers.counted(log.mentions(), "place") + " only "
                            + (log.mentions() == 1 ? "mentions" : "mention")
                            + " running out of memory without giving sizes: "
                            + lines(log.mentionedAt(), log.mentions()),
                    style::faint);
        }
    }

    private static String lines(List<Place> places, long count) {
        List<String> named = places.stream()
                .map(Place::line)
                .distinct()
                .limit(LINES_NAMED)
                .map(Numbers::grouped)
                .toList();
        String more = count > LINES_NAMED && named.size() == LINES_NAMED ? " and more" : "";
        return (named.size() == 1 ? "line " : "lines ") + String.join(", ", named) + more;
    }

    private void message(OutOfMemoryExplanation message) {
        page.blank();
        page.wrap("", head(message), look(message));
        page.text(message.title());
        page.text(message.found().message().text(), style::faint);
        sizes(message);
        reasons(message);
        advice(message);
    }

    private UnaryOperator<String> look(OutOfMemoryExplanation message) {
        return switch (message.kind()) {
            case RECOVERED -> style::bold;
            default -> text -> style.bold(style.alarm(text));
        };
    }

    private String head(OutOfMemoryExplanation message) {
        return Labels.words(message.kind()) + "   " + where(message);
    }

    private static String where(OutOfMemoryExplanation message) {
        OutOfMemoryLog.Found found = message.found();
        OutOfMemoryMessage text = found.message();
        String device = text.device() == Device.OTHER ? "" : ", " + text.device();
        String ordinal = text.ordinal() < 0 ? "" : (device.isEmpty() ? ", device " : " ") + text.ordinal();
        String ranks = found.ranks().isEmpty()
                ? ""
                : (found.ranks().size() == 1 ? ", rank " : ", ranks ")
                        + found.ranks().stream()
                                .limit(LINES_NAMED)
                                .map(String::valueOf)
                                .collect(Collectors.joining(", "))
                        + (found.ranks().size() > LINES_NAMED ? " and more" : "");
        String times = found.count() == 1 ? "" : ", " + Numbers.grouped(found.count()) + " times";
        return lines(found.places(), found.count()) + times + device + ordinal + ranks;
    }

    private void sizes(OutOfMemoryExplanation message) {
        List<Figure> figures = message.found().message().figures();
        if (!figures.isEmpty()) {
            page.blank();
        }
        figures.forEach(figure -> page.labelled(name(figure), LABEL, print(figure, message)));
        message.derivations().forEach(derived -> page.labelled(name(derived), LABEL, print(derived)));
    }

    private static String name(Figure figure) {
        return switch (figure.meaning()) {
            case REQUESTED -> "requested";
            case TOTAL -> "device";
            case FREE -> "free";
            case ALLOWED -> "allowed";
            case PROCESS -> "this process";
            case OTHER_PROCESS -> "process " + figure.pid();
            case ALLOCATED -> "allocated by PyTorch";
            case PRIVATE_POOLS -> "cached in private pools";
            case UNALLOCATED, CACHED -> "cached by PyTorch";
            case RESERVED -> "reserved by PyTorch";
            case OTHER_ALLOCATIONS -> "other Metal memory";
            case USED -> "in use";
            case UNKNOWN -> "?";
        };
    }

    private static String name(Derived derived) {
        return switch (derived.name()) {
            case RESERVED -> "= reserved by PyTorch";
            case UNALLOCATED -> "= cached by PyTorch";
            case LIVE -> "= in tensors";
            case NON_PYTORCH -> "= outside of PyTorch";
            case OTHER_PROCESSES -> "= other processes";
            case OUTSIDE -> "= held elsewhere";
        };
    }

    private static String print(Derived derived) {
        String least = ByteSize.format(derived.least());
        String most = ByteSize.format(derived.most());
        return least.equals(most) ? least : derived.least() == 0 ? "at most " + most : least + " to " + most;
    }

    private static String print(Figure figure, OutOfMemoryExplanation message) {
        if (figure.meaning() == Meaning.UNKNOWN) {
            return figure.size().text() + ", in: " + figure.words();
        }
        Figure exact = message.warning() == null
                ? figure
                : exact(figure, message.warning().message());
        boolean isSame = exact.equals(figure);
        return figure.size().text()
                + (isSame ? "" : " (" + Numbers.grouped(exact.size().bytes()) + " bytes, from the warning before)");
    }

    private static Figure exact(Figure figure, OutOfMemoryMessage warning) {
        return warning.figures().stream()
                .filter(other -> other.meaning() == figure.meaning())
                .findFirst()
                .orElse(figure);
    }

    private void reasons(OutOfMemoryExplanation message) {
        List<String> reasons = new ArrayList<>(message.reasons());
        message.checks().stream()
                .filter(check -> !check.holds())
                .map(check -> "the sizes do not add up: " + check.text())
                .forEach(reasons::add);
        long held = message.checks().stream().filter(SizeCheck::holds).count();
        if (held > 0 && held == message.checks().size()) {
            reasons.add("the printed sizes add up");
        }
        message.failures().forEach(failure -> reasons.add(join(failure)));
        if (!reasons.isEmpty()) {
            page.blank();
            page.text("because");
            reasons.forEach(reason -> page.wrap("  - ", reason, UnaryOperator.identity()));
        }
    }

    private String join(SnapshotFailure failure) {
        FailedRequest request = failure.request();
        return "it is event " + Numbers.grouped(request.event()) + " of "
                + result.inputs().get(failure.input()).path() + ", device " + failure.device() + ": "
                + Numbers.grouped(request.requestedBytes()) + " bytes requested by "
                + request.site().brief() + ", "
                + Numbers.grouped(request.deviceFreeBytes()) + " bytes free";
    }

    private void advice(OutOfMemoryExplanation message) {
        for (int i = 0; i < message.advice().size(); i++) {
            if (i == 0) {
                page.blank();
                page.text("what to do");
            }
            Advice advice = message.advice().get(i);
            page.wrap("  " + (i + 1) + ". ", advice.action(), style::bold);
            page.wrap("     ", advice.why(), UnaryOperator.identity());
            if (!advice.link().isEmpty()) {
                page.wrap("     ", advice.link(), style::faint);
            }
        }
    }

    private void list(List<OutOfMemoryExplanation> messages, long omitted) {
        if (!messages.isEmpty()) {
            page.heading("also found");
        }
        messages.stream()
                .limit(LISTED)
                .forEach(message -> page.line(Labels.end(
                        "  " + String.format("%-20s", Labels.words(message.kind())) + where(message),
                        style.columns(),
                        style)));
        long more = Math.max(messages.size() - LISTED, 0) + omitted;
        if (more > 0) {
            page.text("and " + Numbers.grouped(more) + " more; --format json has all that were kept");
        }
    }

    private void snapshots() {
        List<Finding> findings = findings(result);
        for (int number = 0; number < result.inputs().size(); number++) {
            InputFile input = result.inputs().get(number);
            if (isLog(number)) {
                continue;
            }
            page.heading(input.path());
            page.text(Labels.file(input));
            if (input.incomplete() != null) {
                page.text("incomplete: " + input.incomplete(), style::warning);
            }
        }
        if (findings.isEmpty()) {
            page.text("The recording has no failed request.");
        }
        for (Finding finding : findings) {
            page.blank();
            page.lines(FindingText.lines(result, finding, false, style));
        }
        result.devices().forEach(device -> page.lines(DeviceText.failures(device, style)));
    }

    private boolean isLog(int input) {
        return result.logs().stream().anyMatch(log -> log.input() == input);
    }

    /** The findings about memory that ran out. */
    static List<Finding> findings(AnalysisResult snapshots) {
        return snapshots.findings().stream()
                .filter(finding -> finding.kind().isFailedRequest())
                .toList();
    }
}
