package dev.leakline.known;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RemedyTest {
    private final Remedy bound =
            new Remedy("Bound it.", "It grows.", "kept = []", "kept = collections.deque(maxlen=64)", "");

    @Test
    void aCollectionIsNamedInTheLineThatMakesIt() {
        assertThat(bound.named("self.seen").before()).isEqualTo("self.seen = []");
        assertThat(bound.named("self.seen").after()).isEqualTo("self.seen = collections.deque(maxlen=64)");
    }

    @Test
    void whatIsAnItemOfAnotherCollectionHasNoLineThatMakesIt() {
        assertThat(bound.named("meter.batches['train']").before()).isEmpty();
        assertThat(bound.named("meter.batches['train']").after()).isEmpty();
    }
}
