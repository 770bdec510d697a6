/** What Linux shows of another process, and lets one do to it; nothing about Python. */
@NullMarked
package dev.leakline.attach.linux;

import org.jspecify.annotations.NullMarked;
