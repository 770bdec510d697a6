package dev.leakline.known;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leakline.result.HostMemory.Kind;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Leaks of libraries that are known: by versions and by what is named. */
class KnownLeakTest {
    private static final KnownLeak STRING = KnownLeak.all().stream()
            .filter(leak -> leak.id().equals("torch-stable-abi-string"))
            .findFirst()
            .orElseThrow();

    @ParameterizedTest
    @CsvSource({
        "2.13.0+cu130, true",
        "2.9, true",
        "2.14.1, false",
        "2.14.0a0+git1, false",
        "10.0, false",
        "unknown, true"
    })
    void versionsAreComparedByTheirNumbers(String version, boolean has) {
        assertThat(STRING.isIn(version)).isEqualTo(has);
    }

    @Test
    void itFitsWhereLibraryPartAndNameDo() {
        Map<String, String> versions = Map.of("torch", "2.13.0");
        assertThat(STRING.fits(versions, Kind.NATIVE_LIVE, "_C.so reshape_and_cache_flash"))
                .isTrue();
        assertThat(STRING.fits(versions, Kind.NATIVE_LIVE, "libfast.so encode")).isFalse();
        assertThat(STRING.fits(versions, Kind.NUMPY, "reshape_and_cache_flash")).isFalse();
        assertThat(STRING.fits(Map.of(), Kind.NATIVE_LIVE, "reshape_and_cache_flash"))
                .isFalse();
    }

    /** The names stand in a script that doctor has a Python run. */
    @Test
    void aLibraryIsTheNameOfAPackage() {
        String row = "= hostile\nlibrary : x'+print(1)+'\nby : x\ntext : x\nfixed : x.\nsee : https://github.com/\n";
        assertThatThrownBy(() -> KnownLeak.add(row))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("known leaks: library of hostile: expected the name of a package");
    }

    @Test
    void eachHasItsThread() {
        assertThat(KnownLeak.all()).hasSizeGreaterThan(5).allSatisfy(leak -> {
            assertThat(leak.link()).startsWith("https://github.com/");
            assertThat(leak.fixed()).endsWith(".");
            assertThat(leak.text()).isNotEmpty();
        });
    }
}
