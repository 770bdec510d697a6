package dev.leakline.profile;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.stream.Stream;

/**
 * The C library's heap of this process: the counters of the allocator that PyTorch uses on the CPU. Java's own heap is not in it; what the
 * JVM's compiler and other native code take is, which makes it move by a few megabytes while a program warms up. It counts no peaks.
 * Source: {@code mallinfo2} of glibc 2.33 and later, all arenas.
 *
 * <p>Access to native code must be allowed: {@code --enable-native-access}.
 */
public final class NativeHeapMemory implements MemorySource {
    /** Fields of {@code struct mallinfo2}, each a {@code size_t}, of which ten make it up. */
    private static final int ARENA = 0;

    private static final int MAPPED = 4;
    private static final int IN_USE = 7;
    private static final int FIELDS = 10;

    private final MethodHandle mallinfo;

    private NativeHeapMemory(MethodHandle mallinfo) {
        this.mallinfo = mallinfo;
    }

    /** The heap of this process. Throws {@link IOException} where its C library does not tell. */
    @SuppressWarnings("restricted") // Native access is what this class is for.
    public static NativeHeapMemory open() throws IOException {
        Linker linker = Linker.nativeLinker();
        MemoryLayout layout = MemoryLayout.structLayout(
                Stream.generate(() -> ValueLayout.JAVA_LONG).limit(FIELDS).toArray(MemoryLayout[]::new));
        MemorySegment function = linker.defaultLookup()
                .find("mallinfo2")
                .orElseThrow(() -> new IOException(
                        "the C library has no mallinfo2 (it needs glibc 2.33 or later); use another memory source"));
        return new NativeHeapMemory(linker.downcallHandle(function, FunctionDescriptor.of(layout)));
    }

    @Override
    public MemoryCounters read() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment fields = (MemorySegment) mallinfo.invoke(arena);
            long mapped = field(fields, MAPPED);
            return MemoryCounters.allocator(
                    field(fields, IN_USE) + mapped,
                    field(fields, ARENA) + mapped,
                    MemoryCounters.UNKNOWN,
                    MemoryCounters.UNKNOWN);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    private static long field(MemorySegment fields, int index) {
        return fields.getAtIndex(ValueLayout.JAVA_LONG, index);
    }

    @Override
    public int device() {
        return -1;
    }
}
