/** A result held against what is allowed: budgets, a baseline, findings that are accepted until a date. */
@NullMarked
package dev.leakline.gate;

import org.jspecify.annotations.NullMarked;
