/** Results made readable: the page, which carries them as JSON. */
@NullMarked
package dev.leakline.report.html;

import org.jspecify.annotations.NullMarked;
