/** What NVIDIA's driver says of its devices: their memory, and which processes hold how much of it. */
@NullMarked
package dev.leakline.nvml;

import org.jspecify.annotations.NullMarked;
