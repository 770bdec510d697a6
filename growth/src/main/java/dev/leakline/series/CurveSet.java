package dev.leakline.series;

import com.carrotsearch.hppc.DoubleArrayList;
import com.carrotsearch.hppc.LongArrayList;
import dev.leakline.columns.MemorySeries;
import dev.leakline.columns.MemorySeries.Quantity;
import dev.leakline.columns.MemorySeries.Subject;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The figures of a case that can be judged. What a device has in all is no figure that anybody judges; what it has free is turned into what
 * is used, or was taken, unless that was measured as well.
 */
public final class CurveSet {
    /** Figures that are judged: those of 64 ranks with four each. */
    private static final int MOST = 256;

    /**
     * The series of an input.
     *
     * @param input its index
     */
    public record File(int input, List<MemorySeries> series) {}

    private final List<Curve> all = new ArrayList<>();
    private final List<Curve> totals = new ArrayList<>();
    private final List<Curve> free = new ArrayList<>();
    private final long deviceBytes;
    private int left;

    /**
     * The figures of some inputs.
     *
     * @param device the one device to look at, or empty for all
     * @param deviceBytes the memory of each device, 0 where only the figures may tell
     */
    public CurveSet(List<File> files, OptionalInt device, long deviceBytes) {
        this.deviceBytes = deviceBytes;
        for (File file : files) {
            for (MemorySeries series : file.series()) {
                int ordinal = series.subject.device();
                if (device.isEmpty() || ordinal < 0 || ordinal == device.getAsInt()) {
                    add(Curve.of(file.input(), series));
                }
            }
        }
        turnFree();
    }

    private void add(Curve figure) {
        if (figure.size() > 0 && figure.subject().quantity() == Quantity.DEVICE_TOTAL) {
            totals.add(figure);
        } else if (figure.size() > 0 && all.size() < MOST) {
            all.add(figure);
            if (isFree(figure)) {
                free.add(figure);
            }
        } else if (figure.size() > 0) {
            left++;
        }
    }

    /** The figures, in the order of the inputs. */
    List<Curve> all() {
        return all;
    }

    /** How many figures there are beyond those. */
    int left() {
        return left;
    }

    /** The memory of a figure's device; 0 where nobody says. */
    long deviceBytes(Curve figure) {
        if (Layer.of(figure.subject().quantity()) == Layer.HOST) {
            return 0;
        }
        if (deviceBytes > 0) {
            return deviceBytes;
        }
        int device = figure.subject().device();
        return totals.stream()
                .filter(total -> total.subject().device() == device
                        || (totals.size() == 1 && isSame(device, total.subject().device())))
                .min(Comparator.comparing(total -> !isOfLabel(total, figure))) // a slice has its own
                .map(CurveSet::last)
                .or(() -> usedAndFree(figure))
                .orElse(0L);
    }

    /** All of a device of which a source says what is used and what is free. */
    private Optional<Long> usedAndFree(Curve figure) {
        return figure.subject().quantity() == Quantity.DEVICE_USED
                ? free.stream()
                        .filter(other -> other.input() == figure.input()
                                && other.size() == figure.size()
                                && other.subject().device() == figure.subject().device()
                                && isOfLabel(figure, other))
                        .findFirst()
                        .map(other -> last(figure) + last(other))
                : Optional.empty();
    }

    private static boolean isOfLabel(Curve figure, Curve other) {
        return figure.subject().label().equals(other.subject().label());
    }

    private static long last(Curve figure) {
        return figure.value(figure.size() - 1);
    }

    /** The most that was in use on a figure's device by whoever measured it, so far. */
    long mostUsed(Curve figure) {
        return DeviceUse.most(figure, all);
    }

    /** Returns whether two devices may be one, because they have one number, or one of them has none. */
    static boolean isSame(int device, int other) {
        return device == other || device < 0 || other < 0;
    }

    private void turnFree() {
        for (int i = 0; i < all.size(); i++) {
            if (isFree(all.get(i)) && !isMeasured(all.get(i))) {
                all.set(
                        i,
                        deviceBytes(all.get(i)) > 0
                                ? used(all.get(i))
                                : all.get(i).taken());
            }
        }
        all.removeIf(figure -> isFree(figure) && !figure.isTaken());
    }

    private static boolean isFree(Curve figure) {
        return figure.subject().quantity() == Quantity.DEVICE_FREE;
    }

    /** Returns whether the same source says what is used, too. */
    private boolean isMeasured(Curve free) {
        return all.stream()
                .anyMatch(other -> other.subject().quantity() == Quantity.DEVICE_USED
                        && other.input() == free.input()
                        && other.subject().device() == free.subject().device());
    }

    /** The used memory of a device, from its free memory. */
    private Curve used(Curve free) {
        long most = Arrays.stream(free.toArray()).max().orElse(0);
        long total = Math.max(deviceBytes(free), most);
        DoubleArrayList places = new DoubleArrayList(free.size());
        LongArrayList values = new LongArrayList(free.size());
        for (int i = 0; i < free.size(); i++) {
            places.add(free.place(i));
            values.add(total - free.value(i));
        }
        Subject subject = free.subject();
        Subject turned = new Subject(
                subject.source(),
                Quantity.DEVICE_USED,
                subject.axis(),
                subject.device(),
                subject.process(),
                subject.label());
        return new Curve(free.input(), turned, free.axis(), free.position(0), places, values);
    }
}
