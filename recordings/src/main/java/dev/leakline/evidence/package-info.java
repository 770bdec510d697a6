/** The input of detectors, made in one place and read-only. */
@NullMarked
package dev.leakline.evidence;

import org.jspecify.annotations.NullMarked;
