/** The conclusion from all texts of a case: its evidence, what is left open, the next step. */
@NullMarked
package dev.leakline.conclusion;

import org.jspecify.annotations.NullMarked;
