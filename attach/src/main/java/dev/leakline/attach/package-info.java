/** Starts jobs with the probe inside, or attaches to running ones. */
@NullMarked
package dev.leakline.attach;

import org.jspecify.annotations.NullMarked;
