/** What was live at a moment: by line, by call, by category. */
@NullMarked
package dev.leakline.peak;

import org.jspecify.annotations.NullMarked;
