/** {@code leakline serve}: saved results of many runs as pages for a browser on this machine. */
@NullMarked
package dev.leakline.cli.serve;

import org.jspecify.annotations.NullMarked;
