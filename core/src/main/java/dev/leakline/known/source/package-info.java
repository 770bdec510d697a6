/** What lines of a program's source say of the cause of a leak, rule by rule. */
@NullMarked
package dev.leakline.known.source;

import org.jspecify.annotations.NullMarked;
