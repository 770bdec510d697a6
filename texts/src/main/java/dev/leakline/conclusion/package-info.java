/** What all texts of a case say together: one conclusion, what it rests on, what is left open, the next step. */
@NullMarked
package dev.leakline.conclusion;

import org.jspecify.annotations.NullMarked;
