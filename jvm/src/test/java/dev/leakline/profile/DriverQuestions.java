package dev.leakline.profile;

import java.nio.charset.StandardCharsets;
import java.util.Scanner;

/** A process of its own: for each line that it gets, what the driver says of a process on the first device. */
final class DriverQuestions {
    private DriverQuestions() {}

    public static void main(String[] pid) throws Exception {
        try (NvmlMemory driver = NvmlMemory.open("0", Long.parseLong(pid[0]));
                Scanner lines = new Scanner(System.in, StandardCharsets.UTF_8)) {
            while (lines.hasNextLine()) {
                lines.nextLine();
                MemoryCounters now = driver.read();
                System.out.println(now.held() + " " + now.deviceFree() + " " + now.deviceTotal());
            }
        }
    }
}
