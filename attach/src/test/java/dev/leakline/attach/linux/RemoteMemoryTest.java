package dev.leakline.attach.linux;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** The memory of another process, here of one that ends. */
@EnabledOnOs(OS.LINUX)
class RemoteMemoryTest {
    /** The kernel writes nothing then and says so; to try again is to try for ever. */
    @Test
    @Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void toWriteToAProcessThatHasEndedFails() throws Exception {
        Process sleeper = new ProcessBuilder("sleep", "100").start();
        try (RemoteMemory memory = RemoteMemory.open((int) sleeper.pid())) {
            sleeper.destroyForcibly().waitFor(9, TimeUnit.SECONDS);
            assertThatThrownBy(() -> memory.writeWord(0x7000_0000L, 5)).isInstanceOf(IOException.class);
        }
    }
}
