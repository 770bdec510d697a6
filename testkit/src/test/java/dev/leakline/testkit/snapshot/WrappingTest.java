package dev.leakline.testkit.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WrappingTest {
    @Test
    void gzipUnpacksToTheFile() throws IOException {
        byte[] file = {7, 8, 9};

        assertThat(new GZIPInputStream(new ByteArrayInputStream(Wrapping.gzip(file))).readAllBytes())
                .isEqualTo(file);
    }

    @ParameterizedTest
    @ValueSource(ints = {30, 31, 32})
    void thePageHoldsTheFileAndSomeZeros(int length) {
        byte[] file = new byte[length];
        Arrays.fill(file, (byte) 1);
        String page = new String(Wrapping.memoryVizPage(file), StandardCharsets.US_ASCII);
        Matcher base64 = Pattern.compile("\"base64\": \"(.*?)\"").matcher(page);

        assertThat(base64.find()).isTrue();
        assertThat(Base64.getDecoder().decode(base64.group(1)))
                .hasSize(33)
                .startsWith(file)
                .endsWith(0);
        assertThat(page).contains("[{\"name\": \"snapshot.pickle\", \"base64\": ");
    }
}
