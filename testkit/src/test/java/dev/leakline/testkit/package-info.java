/** Tests of the test kit, and what they share. */
@NullMarked
package dev.leakline.testkit;

import org.jspecify.annotations.NullMarked;
