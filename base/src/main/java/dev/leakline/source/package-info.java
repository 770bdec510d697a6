/** Bytes of a file before its format is known: opening, decompression, limits, errors, scanners of JSON. */
@NullMarked
package dev.leakline.source;

import org.jspecify.annotations.NullMarked;
