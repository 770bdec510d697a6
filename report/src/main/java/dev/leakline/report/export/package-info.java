/** Recordings as the viewers of profiles and traces read them. */
@NullMarked
package dev.leakline.report.export;

import org.jspecify.annotations.NullMarked;
