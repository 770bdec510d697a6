/** Watches processes: takes samples of them, has them judged, and tells whoever listens. */
@NullMarked
package dev.leakline.watch;

import org.jspecify.annotations.NullMarked;
