/** The command line. */
@NullMarked
package dev.leakline.cli;

import org.jspecify.annotations.NullMarked;
