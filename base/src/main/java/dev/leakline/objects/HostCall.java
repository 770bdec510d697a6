package dev.leakline.objects;

import dev.leakline.result.Frame;
import java.util.List;

/**
 * A call of C or C++ code whose memory is in use and shown by no object of Python, as sampled.
 *
 * @param library the file of the library
 * @param function its name, empty where none is known
 * @param frames the innermost lines of Python, the innermost first
 * @param bytes estimated by chance: about one block in 512 KiB is noted
 */
public record HostCall(String library, String function, List<Frame> frames, long bytes) {}
