/** Queries the NVIDIA driver for its devices: their memory, and how much of it each process holds. */
@NullMarked
package dev.leakline.nvml;

import org.jspecify.annotations.NullMarked;
