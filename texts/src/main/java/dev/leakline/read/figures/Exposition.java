package dev.leakline.read.figures;

import dev.leakline.columns.MemorySeries.Axis;
import dev.leakline.columns.MemorySeries.Quantity;
import dev.leakline.columns.MemorySeries.Source;
import dev.leakline.columns.MemorySeries.Subject;
import dev.leakline.read.figures.Whereabouts.Place;
import dev.leakline.read.terms.Amount;
import dev.leakline.read.terms.FigureName;
import dev.leakline.text.Ascii;
import dev.leakline.text.ByteSize;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads what exporters tell Prometheus, one scrape or many after another: {@code name{label="value"} number milliseconds}. DCGM's names are known;
 * of others a figure is what says in its name that it is memory, and in bytes.
 */
final class Exposition {
    /** Names by which a device is known. */
    private static final List<String> ORDINALS =
            List.of("gpu", "index", "minor_number", "gpu_index", "gpu_id", "device");

    private static final List<String> IDENTITIES = List.of("UUID", "uuid", "gpu_uuid");
    /** Labels that tell series of one device apart, in the order in which names show them. */
    private static final List<String> PLACES = List.of(
            "Hostname", "hostname", "instance", "GPU_I_ID", "namespace", "pod", "container", "process_name", "rank");

    private static final Map<String, Quantity> MEBIBYTES = Map.of(
            "DCGM_FI_DEV_FB_USED", Quantity.DEVICE_USED,
            "DCGM_FI_DEV_FB_FREE", Quantity.DEVICE_FREE,
            "DCGM_FI_DEV_FB_TOTAL", Quantity.DEVICE_TOTAL);

    private static final Pattern METRIC = Pattern.compile(
            "([A-Za-z_:][\\w:]{0,99})(?:\\{(.{0,4000})\\})?\\s+([-+.\\w]{1,30})(?:\\s+(-?\\d{1,15}))?\\s*");

    /** A moment that a script put before what it fetched. */
    private static final Pattern WHEN =
            Pattern.compile("\\d[\\d:T.,/-]{3,30}Z?(?: \\d[\\d:.,]{3,20})?\\s+(?=[A-Za-z_:][\\w:]{0,99}\\{)");

    private static final Pattern LABEL = Pattern.compile("(\\w{1,99})\\s*=\\s*\"([^\"]{0,500})\"");
    /** Memory of other things than devices, and of what is no process of ours. */
    private static final Pattern OTHERS = Pattern.compile(
            "(?:node|go|jvm|container(?!_memory_(?:working_set|usage)_bytes)|machine|python|process_virtual|windows)_.*|nvidia.*reserved_bytes");

    private final SeriesBook book;
    private final Map<String, Integer> devices = new HashMap<>();

    Exposition(SeriesBook book) {
        this.book = book;
    }

    /** Takes a line if it is a metric; comments and metrics of other things are taken too, and say nothing. */
    boolean take(String line, Utterance speech) {
        int brace = line.indexOf('{');
        if (brace > 0 && Ascii.isDigit(line.charAt(0)) && WHEN.matcher(line).lookingAt()) {
            speech.whereabouts().begin();
            speech.whereabouts().timeIn(line);
            return take(WHEN.matcher(line).replaceFirst(""), speech);
        }
        boolean mayBe = brace > 0 ? line.indexOf(' ') > brace || line.indexOf(' ') < 0 : line.contains("_bytes ");
        Matcher metric = mayBe ? METRIC.matcher(line) : null;
        if (metric == null || !metric.matches()) {
            return line.startsWith("# HELP ") || line.startsWith("# TYPE ");
        }
        Amount value = Amount.of(metric.group(3));
        if (value != null) {
            read(metric, value.number(), speech);
        }
        return true;
    }

    private void read(Matcher metric, double value, Utterance speech) {
        Map<String, String> labels = labels(metric.group(2));
        int device = device(labels);
        boolean isMebibytes = MEBIBYTES.containsKey(metric.group(1));
        Quantity quantity = isMebibytes ? MEBIBYTES.get(metric.group(1)) : quantity(metric.group(1), labels);
        if (quantity != null) {
            Place place = place(metric.group(4), speech);
            Subject subject = new Subject(
                    Source.EXPORTER, quantity, place.axis(), device, process(labels), label(labels, device));
            book.add(subject, place, value, isMebibytes ? ByteSize.MIB : 1);
        }
    }

    private static @Nullable Quantity quantity(String name, Map<String, String> labels) {
        if (name.startsWith("container_memory_")) {
            return OTHERS.matcher(name).matches() ? null : Quantity.HOST_USED;
        }
        FigureName figure = !name.contains("_bytes") || OTHERS.matcher(name).matches() ? null : FigureName.of(name);
        if (figure == null) {
            return null;
        }
        boolean isDevice = name.startsWith("nvidia") || (labels.containsKey("uuid") && process(labels) < 0);
        return isDevice && figure.quantity() == Quantity.ALLOCATED ? Quantity.DEVICE_USED : figure.quantity();
    }

    private static Map<String, String> labels(@Nullable String text) {
        Map<String, String> labels = new LinkedHashMap<>();
        Matcher label = LABEL.matcher(text == null ? "" : text);
        while (label.find()) {
            labels.put(label.group(1), label.group(2));
        }
        return labels;
    }

    /** The ordinal; where there is only an identity, that which a metric with both has told. */
    private int device(Map<String, String> labels) {
        String identity = first(IDENTITIES, labels);
        for (String name : ORDINALS) {
            int ordinal = labels.containsKey(name) ? RowReader.ordinal(labels.get(name)) : -1;
            if (ordinal >= 0) {
                if (identity != null && devices.size() < RowReader.MOST_DEVICES) {
                    devices.put(identity, ordinal);
                }
                return ordinal;
            }
        }
        return identity == null ? -1 : devices.getOrDefault(identity, -1);
    }

    private static long process(Map<String, String> labels) {
        Amount process = labels.containsKey("pid") ? Amount.of(labels.get("pid")) : null;
        return process == null ? -1 : (long) process.number();
    }

    private static @Nullable String first(List<String> names, Map<String, String> labels) {
        return names.stream()
                .filter(labels::containsKey)
                .findFirst()
                .map(labels::get)
                .orElse(null);
    }

    private static String label(Map<String, String> labels, int device) {
        List<String> parts = new ArrayList<>();
        PLACES.stream()
                .filter(labels::containsKey)
                .map(labels::get)
                .filter(part -> !part.isEmpty())
                .forEach(parts::add);
        String identity = first(IDENTITIES, labels);
        if (device < 0 && identity != null) {
            parts.add(identity);
        }
        String label = String.join(", ", parts);
        return label.substring(0, Math.min(label.length(), RowReader.MOST_LABEL));
    }

    private static Place place(@Nullable String milliseconds, Utterance speech) {
        return milliseconds == null
                ? speech.whereabouts().ofRow()
                : new Place(Axis.TIME, Double.parseDouble(milliseconds) * 1e3);
    }
}
