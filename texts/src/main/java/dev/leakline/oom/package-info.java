/** Out-of-memory messages, explained. */
@NullMarked
package dev.leakline.oom;

import org.jspecify.annotations.NullMarked;
