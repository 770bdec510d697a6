package dev.leakline.result;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SiteTest {
    private static final Site SITE = new Site(Site.Kind.USER, new Frame("/app/train.py", 4, "main"));

    @Test
    void aTextThatNamesItsLineIsLeftAsItIs() {
        assertThat(SITE.locate("train.py:4 keeps 3 MiB")).isEqualTo("train.py:4 keeps 3 MiB");
    }

    @Test
    void aLineWhoseNumberOnlyBeginsAlikeIsAnother() {
        assertThat(SITE.locate("3 MiB are freed by train.py:40"))
                .isEqualTo("3 MiB are freed by train.py:40, at train.py:4 (main)");
    }
}
