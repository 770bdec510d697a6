/** Looks at the host's memory of a process, as the probe writes them. */
@NullMarked
package dev.leakline.read.looks;

import org.jspecify.annotations.NullMarked;
