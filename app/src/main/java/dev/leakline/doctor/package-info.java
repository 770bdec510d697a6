/** Checks of a machine and its Python for Leakline's needs. */
@NullMarked
package dev.leakline.doctor;

import org.jspecify.annotations.NullMarked;
