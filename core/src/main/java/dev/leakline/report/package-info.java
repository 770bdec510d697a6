/** Results made readable: text for a terminal, JSON for programs. */
@NullMarked
package dev.leakline.report;

import org.jspecify.annotations.NullMarked;
