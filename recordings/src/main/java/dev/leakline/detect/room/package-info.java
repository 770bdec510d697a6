/** Detectors of failed requests and fragmentation. */
@NullMarked
package dev.leakline.detect.room;

import org.jspecify.annotations.NullMarked;
