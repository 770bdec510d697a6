/** What a machine and its Python can do for Leakline. */
@NullMarked
package dev.leakline.doctor;

import org.jspecify.annotations.NullMarked;
