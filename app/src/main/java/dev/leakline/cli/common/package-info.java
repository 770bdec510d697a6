/** Shared parts of commands: they open inputs, print results, fail. */
@NullMarked
package dev.leakline.cli.common;

import org.jspecify.annotations.NullMarked;
