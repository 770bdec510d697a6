package dev.leakline.read.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.result.PrintedSize;
import java.util.Locale;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Printed sizes and the bytes that they may stand for. */
class SizeTextTest {
    private static final long KIB = 1 << 10;
    private static final long MIB = 1 << 20;
    private static final long GIB = 1 << 30;

    @ParameterizedTest
    @CsvSource({
        "0, bytes, 0, 0",
        "1024, bytes, 1024, 1024",
        "1.00, KiB, 1025, 1029",
        "1024.00, KiB, 1048571, 1048576",
        "20.00, MiB, 20966278, 20976762",
        "1024.00, MiB, 1073736582, 1073741824",
        "8.13, GiB, 8724152320, 8734889738",
        "20.000, KiB, 20480, 20480"
    })
    void aPrintStandsForAllSizesThatRoundToIt(String number, String unit, long least, long most) {
        PrintedSize size = of(number, unit);
        assertThat(size.least()).isEqualTo(least);
        assertThat(size.most()).isEqualTo(most);
    }

    @ParameterizedTest
    @ValueSource(
            longs = {0, 1, 1023, 1024, 1025, MIB - 1, MIB, MIB + 1, GIB - 1, GIB, GIB + 1, 85_899_345_920L, 1L << 59})
    void everySizeIsWithinItsOwnPrint(long bytes) {
        assertThat(printed(bytes).covers(bytes)).isTrue();
    }

    @Test
    void sizesOfFewDigitsAreThoseOfExactArithmetic() {
        Random random = new Random(20261123);
        for (int i = 0; i < 50_000; i++) {
            String digits = "" + random.nextInt(1 + random.nextInt(1_000_000_000));
            int point = random.nextInt(digits.length());
            String number = (point == 0 ? digits : digits.substring(0, point) + "." + digits.substring(point));
            int power = random.nextInt(5);
            PrintedSize plain = SizeText.plain(number, power, "");
            assertThat(plain).as("%s of %d", number, power).isIn(null, SizeText.exact(number, power, ""));
            assertThat(plain == null).isEqualTo(power == 4 || number.length() > 9);
        }
    }

    @Test
    void everySizeAtRandomIsWithinItsOwnPrint() {
        Random random = new Random(20261121);
        for (int i = 0; i < 20_000; i++) {
            long bytes = random.nextLong() >>> (5 + random.nextInt(58));
            assertThat(printed(bytes).covers(bytes)).as("%d", bytes).isTrue();
        }
    }

    @Test
    void whatIsNoSizeOfAnyDeviceIsNone() {
        assertThat(SizeText.of("17179869184.00", 3, "")).isNull();
        assertThat(SizeText.of("9".repeat(400), 0, "")).isNull();
    }

    private static PrintedSize printed(long bytes) {
        String[] print = formatSize(bytes).split(" ", -1);
        return of(print[0], print[1]);
    }

    private static PrintedSize of(String number, String unit) {
        int power = SizeText.power(unit.toLowerCase(Locale.ROOT));
        return Objects.requireNonNull(SizeText.of(number, power, number + " " + unit));
    }

    /** As PyTorch's function of that name. */
    private static String formatSize(long bytes) {
        if (bytes <= KIB) {
            return bytes + " bytes";
        }
        if (bytes <= MIB) {
            return String.format(Locale.ROOT, "%.2f KiB", bytes / 1024.0);
        }
        return bytes <= GIB
                ? String.format(Locale.ROOT, "%.2f MiB", bytes / 1048576.0)
                : String.format(Locale.ROOT, "%.2f GiB", bytes / 1073741824.0);
    }
}
