/** Joins a holder dump to a snapshot: which storages are which blocks, and who holds those of a finding. */
@NullMarked
package dev.leakline.join;

import org.jspecify.annotations.NullMarked;
