/** Statistics of figures that are taken one after the other; nothing about GPUs. */
@NullMarked
package dev.leakline.statistics;

import org.jspecify.annotations.NullMarked;
