/** What the field knows: whose code a frame is, what a stack means. */
@NullMarked
package dev.leakline.known;

import org.jspecify.annotations.NullMarked;
