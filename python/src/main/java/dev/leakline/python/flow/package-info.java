/** The values of a program: which objects its expressions may come to, and which of them come from one line. */
@NullMarked
package dev.leakline.python.flow;

import org.jspecify.annotations.NullMarked;
