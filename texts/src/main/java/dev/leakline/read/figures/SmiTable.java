package dev.leakline.read.figures;

import dev.leakline.columns.MemorySeries.Quantity;
import dev.leakline.columns.MemorySeries.Source;
import dev.leakline.columns.MemorySeries.Subject;
import dev.leakline.read.figures.Whereabouts.Place;
import dev.leakline.text.ByteSize;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the table that {@code nvidia-smi} prints where it stands in a text, of drivers 340 to 580: the memory of each device, of each instance of one
 * that is cut in several (MIG), and of each process. A device takes two lines, the ordinal in the first and the memory in the second.
 */
final class SmiTable {
    private enum Part {
        NONE,
        DEVICES,
        INSTANCES,
        PROCESSES
    }

    /** Characters of a process's name that are kept. */
    private static final int MOST_NAME = 100;

    private static final Pattern FIRST = Pattern.compile("\\|\\s+(\\d{1,3})\\s+\\S.*");
    private static final Pattern MEMORY = Pattern.compile("\\|\\s*(\\d{1,9})MiB\\s*/\\s*(\\d{1,9})MiB\\s*\\|");
    /** Ordinal, instances, number in the device. */
    private static final Pattern INSTANCE =
            Pattern.compile("\\|\\s+(\\d{1,3})\\s+(\\d{1,3})\\s+(\\d{1,3})\\s+(\\d{1,3})\\s*\\|.*");
    /** Drivers before 450 print no instances. */
    private static final Pattern PROCESS = Pattern.compile(
            "\\|\\s+(\\d{1,3})(?:\\s+(?:N/A|\\d{1,3})\\s+(?:N/A|\\d{1,3}))?\\s+(\\d{1,10})\\s+(?:C\\+G|M\\+C|C|G)\\s+(\\S.*?)\\s+(\\d{1,9})MiB\\s*\\|\\s*");

    /** A line of gpustat: ordinal, name, temperature, memory. */
    private static final Pattern GPUSTAT =
            Pattern.compile("\\[(\\d{1,3})\\]\\s.{1,160}?\\|\\s*(\\d{1,9}) / *(\\d{1,9}) MB\\b.*");

    private final SeriesBook book;
    private Part part = Part.NONE;
    private int device = -1;
    private String instance = "";

    SmiTable(SeriesBook book) {
        this.book = book;
    }

    /** Whether a line is read by itself. */
    boolean isIdle() {
        return part == Part.NONE;
    }

    /** Takes a line if it is one of a table. */
    boolean take(String line, Utterance speech) {
        boolean isFrame = line.startsWith("|") || line.startsWith("+");
        if (line.startsWith("[") && line.contains(" MB") && gpustat(line, speech)) {
            return true;
        }
        if (!isFrame) {
            part = line.isBlank() ? part : Part.NONE;
            return false;
        }
        if (isTitle(line)) {
            return true;
        }
        switch (part) {
            case NONE -> {
                return line.contains("MiB") && stray(line, speech);
            }
            case DEVICES -> device(line, speech);
            case INSTANCES -> instance(line, speech);
            case PROCESSES -> process(line, speech);
        }
        return part != Part.NONE;
    }

    /** Rows that somebody cut from a table: those of processes, and those with a device's memory, power and load. */
    private boolean stray(String line, Utterance speech) {
        if (PROCESS.matcher(line).matches()) {
            process(line, speech);
            return true;
        }
        boolean isDevice = line.contains("W |") && line.indexOf('%') > 0;
        if (isDevice) {
            device(line, speech);
        }
        return isDevice;
    }

    private boolean gpustat(String line, Utterance speech) {
        Matcher row = GPUSTAT.matcher(line);
        if (row.matches()) {
            device = Integer.parseInt(row.group(1));
            add(Quantity.DEVICE_USED, -1, "", row.group(2), speech);
            add(Quantity.DEVICE_TOTAL, -1, "", row.group(3), speech);
        }
        return row.matches();
    }

    /** What follows; each part of the table has a title of its own. */
    private boolean isTitle(String line) {
        for (String title : List.of("NVIDIA-SMI ", "MIG devices:", "Processes:")) {
            if (line.startsWith(title, 2)) {
                part = title.startsWith("N") ? Part.DEVICES : title.startsWith("M") ? Part.INSTANCES : Part.PROCESSES;
                return true;
            }
        }
        return false;
    }

    private void device(String line, Utterance speech) {
        Matcher first = FIRST.matcher(line);
        Matcher memory = MEMORY.matcher(line);
        if (memory.find()) {
            add(Quantity.DEVICE_USED, -1, "", memory.group(1), speech);
            add(Quantity.DEVICE_TOTAL, -1, "", memory.group(2), speech);
        } else if (first.matches()) {
            device = Integer.parseInt(first.group(1));
        }
    }

    private void instance(String line, Utterance speech) {
        Matcher first = INSTANCE.matcher(line);
        Matcher memory = MEMORY.matcher(line);
        if (first.matches() && memory.find()) {
            device = Integer.parseInt(first.group(1));
            instance = "MIG " + first.group(2) + "/" + first.group(3);
            add(Quantity.DEVICE_USED, -1, instance, memory.group(1), speech);
            add(Quantity.DEVICE_TOTAL, -1, instance, memory.group(2), speech);
        }
    }

    private void process(String line, Utterance speech) {
        Matcher process = PROCESS.matcher(line);
        if (process.matches()) {
            device = Integer.parseInt(process.group(1));
            String name =
                    process.group(3).substring(0, Math.min(process.group(3).length(), MOST_NAME));
            add(Quantity.PROCESS_USED, Long.parseLong(process.group(2)), name, process.group(4), speech);
        }
    }

    private void add(Quantity quantity, long process, String label, String mebibytes, Utterance speech) {
        Place place = speech.whereabouts().ofRow();
        Subject subject = new Subject(Source.NVIDIA_SMI, quantity, place.axis(), device, process, label);
        book.add(subject, place, Double.parseDouble(mebibytes), ByteSize.MIB);
    }
}
