/** The picture that the page draws, thinned to what a screen can show. */
@NullMarked
package dev.leakline.picture;

import org.jspecify.annotations.NullMarked;
