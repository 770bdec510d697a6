package dev.leakline.report;

import dev.leakline.result.AnalysisResult;
import dev.leakline.result.InputFile;
import dev.leakline.result.OutOfMemoryExplanation;
import dev.leakline.result.OutOfMemoryExplanation.Derived;
import dev.leakline.result.OutOfMemoryExplanation.SizeCheck;
import dev.leakline.result.OutOfMemoryExplanation.SnapshotFailure;
import dev.leakline.result.OutOfMemoryLog;
import dev.leakline.result.OutOfMemoryLog.Found;
import dev.leakline.result.OutOfMemoryLog.Place;
import dev.leakline.result.OutOfMemoryMessage;
import dev.leakline.result.OutOfMemoryMessage.Figure;
import dev.leakline.result.OutOfMemoryMessage.Meaning;
import dev.leakline.result.PrintedSize;
import java.io.Writer;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * Explained out-of-memory errors as JSON, schema {@code leakline.oom/1}: names in snake_case, sizes in bytes, null for what a message does
 * not print. A printed size has the bytes that its digits say, and the least and the most that are printed like it. Fields are added in
 * later versions, never renamed or removed.
 */
public final class OutOfMemoryJson {
    /** The schema that this class writes. */
    public static final String SCHEMA = "leakline.oom/1";

    private final Json json;
    private final FindingJson findings;
    private final DeviceJson devices;

    private OutOfMemoryJson(Json json) {
        this.json = json;
        this.findings = new FindingJson(json);
        this.devices = new DeviceJson(json, Integer.MAX_VALUE, false);
    }

    /** Writes a result and flushes, but does not close. */
    public static void write(AnalysisResult result, Writer out) {
        try (Json json = Json.indented(out)) {
            json.generator.writeStartObject();
            new OutOfMemoryJson(json).write(result);
            json.generator.writeEndObject();
            json.generator.writeRaw('\n');
        }
    }

    private void write(AnalysisResult result) {
        json.string("schema", SCHEMA);
        json.object("tool", result, _ -> {
            json.string("name", "leakline");
            json.string("version", result.toolVersion());
        });
        json.objects("logs", result.logs(), log -> log(result.inputs().get(log.input()), log));
        json.objects("messages", result.messages(), this::message);
        List<InputFile> snapshots = IntStream.range(0, result.inputs().size())
                .filter(input -> result.logs().stream().noneMatch(log -> log.input() == input))
                .mapToObj(result.inputs()::get)
                .toList();
        json.objects("snapshots", snapshots, this::file);
        findings.findings(OutOfMemoryText.findings(result));
        json.objects("devices", result.devices(), devices::failures);
    }

    private void file(InputFile file) {
        json.string("path", file.path());
        json.string("kind", file.kind());
        json.number("bytes", file.bytes());
        json.string("incomplete", file.incomplete());
    }

    private void log(InputFile file, OutOfMemoryLog log) {
        file(file);
        json.number("lines", log.lines());
        json.number("messages", log.messages());
        json.number("distinct_messages", log.distinctMessages());
        json.number("omitted_messages", log.omittedMessages());
        json.number("mentions", log.mentions());
        json.objects("mentioned_at", log.mentionedAt(), this::place);
    }

    private void place(Place place) {
        json.number("line", place.line());
        json.number("offset", place.offset());
    }

    private void message(OutOfMemoryExplanation message) {
        json.number("log", message.log());
        found(message.found());
        json.constant("kind", message.kind());
        json.string("title", message.title());
        json.strings("reasons", message.reasons());
        json.object("derived", message.derived(), derived -> derived.forEach(this::derived));
        json.objects("checks", message.checks(), this::check);
        json.object("warning", message.warning(), this::found);
        json.objects("snapshot_failures", message.failures(), this::failure);
        json.objects("advice", message.advice(), findings::advice);
    }

    private void found(Found found) {
        OutOfMemoryMessage message = found.message();
        json.number("count", found.count());
        json.objects("places", found.places(), this::place);
        json.array("ranks", found.ranks(), json.generator::writeNumber);
        json.constant("form", message.form());
        json.constant("device", message.device());
        json.generator.writeName("ordinal");
        if (message.ordinal() < 0) {
            json.generator.writeNull();
        } else {
            json.generator.writeNumber(message.ordinal());
        }
        json.string("exception", message.exception().isEmpty() ? null : message.exception());
        json.string("text", message.text());
        json.object("sizes", message, this::sizes);
        json.objects("other_processes", of(message, Meaning.OTHER_PROCESS), figure -> {
            json.number("pid", figure.pid());
            size(figure.size());
        });
        json.objects("unknown_sizes", of(message, Meaning.UNKNOWN), figure -> {
            json.string("words", figure.words());
            size(figure.size());
        });
        json.array(
                "hints",
                message.hints(),
                hint -> json.generator.writeString(hint.name().toLowerCase(Locale.ROOT)));
    }

    private static List<Figure> of(OutOfMemoryMessage message, Meaning meaning) {
        return message.figures().stream()
                .filter(figure -> figure.meaning() == meaning)
                .toList();
    }

    private void sizes(OutOfMemoryMessage message) {
        for (Meaning meaning : Meaning.values()) {
            if (meaning != Meaning.OTHER_PROCESS && meaning != Meaning.UNKNOWN) {
                json.object(meaning.name().toLowerCase(Locale.ROOT), message.size(meaning), this::size);
            }
        }
    }

    private void size(PrintedSize size) {
        json.number("bytes", size.bytes());
        json.number("least", size.least());
        json.number("most", size.most());
        json.string("text", size.text());
    }

    private void derived(Derived derived) {
        json.object(derived.name().name().toLowerCase(Locale.ROOT), derived, range -> {
            json.number("least", range.least());
            json.number("most", range.most());
        });
    }

    private void check(SizeCheck check) {
        json.generator.writeBooleanProperty("holds", check.holds());
        json.string("text", check.text());
    }

    private void failure(SnapshotFailure failure) {
        json.number("snapshot", failure.input());
        json.number("device", failure.device());
        devices.failedRequest(failure.request());
    }
}
