package dev.leakline.lint.output;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** URIs of files that recordings of other machines name, whatever they are called and whatever locale this one has. */
class SarifTest {
    @ParameterizedTest
    @CsvSource({
        "/app/train.py, file:///app/train.py",
        "src/train.py, src/train.py",
        "./src//train.py, src/train.py",
        "/app/gr\u00f6\u00dfe_\u65e5.py, file:///app/gr%C3%B6%C3%9Fe_%E6%97%A5.py",
        "C:/x.py, ./C:/x.py",
        "/a b%.py, file:///a%20b%25.py"
    })
    void aNameBecomesAUri(String file, String uri) {
        assertThat(Sarif.artifact(file).uri()).isEqualTo(uri);
    }

    @org.junit.jupiter.api.Test
    void whatIsNoNameBecomesOneToo() {
        assertThat(Sarif.artifact("/app/a\0b\ud800.py").uri()).isEqualTo("file:///app/a%00b%3F.py");
    }
}
