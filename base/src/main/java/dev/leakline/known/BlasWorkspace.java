package dev.leakline.known;

import java.util.regex.Pattern;

/**
 * The memory that PyTorch gives to cuBLAS at the first product of matrices in a thread and stream, and never takes back. It looks like
 * something that a pass keeps. Source: {@code aten/src/ATen/cuda/CublasHandlePool.cpp}, torch 1.11 to 2.14; the sizes are those where
 * nobody sets {@code CUBLAS_WORKSPACE_CONFIG}.
 */
public final class BlasWorkspace {
    /** {@code :4096:2:16:8}, in KiB. */
    private static final long USUAL = (2 * 4096 + 8 * 16) << 10;
    /** {@code :4096:8}, on Hopper. */
    private static final long HOPPER = (8 * 4096) << 10;

    private static final String HANDLE = "at::cuda::getCurrentCUDABlasHandle";
    /** {@code getNewWorkspace}, {@code getCUDABlasLtWorkspace} and what later versions call them. */
    private static final Pattern MAKER = Pattern.compile("at::cuda::\\w+Workspace\\b.*");

    private BlasWorkspace() {}

    /** Returns whether a C++ function allocates workspaces and nothing else. */
    public static boolean isMadeBy(String function) {
        return function.startsWith("at::cuda::")
                && (function.startsWith(HANDLE) || MAKER.matcher(function).matches());
    }

    /** Returns whether a block that lives to the end has the size of one. */
    public static boolean is(long bytes) {
        return bytes == USUAL || bytes == HOPPER;
    }
}
