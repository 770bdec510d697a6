package dev.leakline.djl;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import dev.leakline.profile.GpuMemoryProfiler;
import dev.leakline.profile.NativeHeapMemory;
import dev.leakline.profile.ProfileText;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * A search service that leaks in two places, profiled: what every call keeps, by name, as the arrays say and as the C library says.
 *
 * <p>{@code score} closes all it makes. {@code embed} hands its result to the manager that lives as long as the service, which nobody
 * closes. {@code remember} detaches what it keeps, so that no manager knows of it.
 */
final class UnclosedArrays {
    /** 4 MiB of floats. */
    private static final Shape VECTORS = new Shape(1024, 1024);

    private static final int REQUESTS = 20;
    private static final int WIDTH = 80;

    private final NDManager service;
    private final GpuMemoryProfiler arrays;
    private final GpuMemoryProfiler heap;
    private final List<NDArray> memory = new ArrayList<>();

    UnclosedArrays(NDManager service) throws IOException {
        this.service = service;
        this.arrays = GpuMemoryProfiler.of(DjlMemory.of(service));
        this.heap = GpuMemoryProfiler.of(NativeHeapMemory.open());
    }

    public static void main(String[] arguments) throws IOException {
        try (NDManager service = NDManager.newBaseManager()) {
            new UnclosedArrays(service).run().forEach(System.out::println);
        }
    }

    /** Serves requests, the first of which warms up, and says what they kept. */
    List<String> run() {
        serve();
        arrays.clear();
        heap.clear();
        for (int request = 0; request < REQUESTS; request++) {
            serve();
        }
        List<String> lines = new ArrayList<>(ProfileText.of(arrays.summary(), WIDTH));
        lines.add("");
        lines.addAll(ProfileText.of(heap.summary(), WIDTH));
        return lines;
    }

    GpuMemoryProfiler arrays() {
        return arrays;
    }

    GpuMemoryProfiler heap() {
        return heap;
    }

    private void serve() {
        NDArray query = profile("embed", this::embed);
        profile("score", () -> score(query));
        profile("remember", () -> remember(query));
    }

    private <T> T profile(String name, GpuMemoryProfiler.Call<T, RuntimeException> call) {
        return arrays.profile(name, () -> heap.profile(name, call));
    }

    /** THE LEAK: the result belongs to the service from here on. The cure is to close it when the request has been answered. */
    private NDArray embed() {
        try (NDManager request = service.newSubManager()) {
            NDArray vectors = request.ones(VECTORS).mul(3);
            vectors.attach(service);
            return vectors;
        }
    }

    private float score(NDArray query) {
        try (NDManager request = service.newSubManager()) {
            query.tempAttach(request);
            return query.mul(query).sum().getFloat();
        }
    }

    /** THE OTHER LEAK: a detached array is closed by whoever keeps it, which nobody does. */
    private float remember(NDArray query) {
        try (NDManager request = service.newSubManager()) {
            NDArray best = request.ones(new Shape(512, 1024));
            best.detach();
            memory.add(best);
            return query.getFloat(0, 0) + memory.size();
        }
    }
}
