/** Reads and controls another process on Linux; nothing about Python. */
@NullMarked
package dev.leakline.attach.linux;

import org.jspecify.annotations.NullMarked;
