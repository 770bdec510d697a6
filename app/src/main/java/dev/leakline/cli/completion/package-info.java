/** Completion of commands and options in shells. */
@NullMarked
package dev.leakline.cli.completion;

import org.jspecify.annotations.NullMarked;
