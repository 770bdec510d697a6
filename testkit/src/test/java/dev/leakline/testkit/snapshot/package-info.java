/** Tests of the snapshot package. */
@NullMarked
package dev.leakline.testkit.snapshot;

import org.jspecify.annotations.NullMarked;
