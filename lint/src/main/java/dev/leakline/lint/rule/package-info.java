/** The rules: what each looks for in the flow of a file. */
@NullMarked
package dev.leakline.lint.rule;

import org.jspecify.annotations.NullMarked;
