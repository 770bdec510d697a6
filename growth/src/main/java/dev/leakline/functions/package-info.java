/** Calls of profiled functions, judged. */
@NullMarked
package dev.leakline.functions;

import org.jspecify.annotations.NullMarked;
