/** gpumemprof's own rules, figure for figure. */
@NullMarked
package dev.leakline.functions.gpumemprof;

import org.jspecify.annotations.NullMarked;
