/** The host's memory of processes: looks from inside as rows, how each part grows, and what that means. */
@NullMarked
package dev.leakline.host;

import org.jspecify.annotations.NullMarked;
