package dev.leakline.attach.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class SignalsTest {
    /** A watch that had recorded a process could not be ended any more. */
    @Test
    void whoHandledBeingAskedToEndBeforeDoesSoAgain() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/bin/kill")), "needs kill");
        Semaphore outer = new Semaphore(0);
        Semaphore inner = new Semaphore(0);
        try (Signals.End _ = Signals.onEnd(outer::release)) {
            try (Signals.End _ = Signals.onEnd(inner::release)) {
                ask();
                assertThat(inner.tryAcquire(20, TimeUnit.SECONDS)).isTrue();
            }
            ask();
            assertThat(outer.tryAcquire(20, TimeUnit.SECONDS)).isTrue();
            assertThat(inner.availablePermits()).isZero();
        }
    }

    private static void ask() throws Exception {
        String self = String.valueOf(ProcessHandle.current().pid());
        assertThat(new ProcessBuilder("/bin/kill", "-TERM", self).start().waitFor())
                .isZero();
    }
}
