/** Findings as text, JSON, SARIF and patches. */
@NullMarked
package dev.leakline.lint.output;

import org.jspecify.annotations.NullMarked;
