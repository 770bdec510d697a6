/** The probe's holder dumps into an object graph. */
@NullMarked
package dev.leakline.read.dump;

import org.jspecify.annotations.NullMarked;
