/** Tests of the pickle package. */
@NullMarked
package dev.leakline.testkit.pickle;

import org.jspecify.annotations.NullMarked;
