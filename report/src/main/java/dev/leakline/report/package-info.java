/** Results made readable: text for a terminal. */
@NullMarked
package dev.leakline.report;

import org.jspecify.annotations.NullMarked;
