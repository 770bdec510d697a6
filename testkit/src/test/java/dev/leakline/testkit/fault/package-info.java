/** Tests of the fault package. */
@NullMarked
package dev.leakline.testkit.fault;

import org.jspecify.annotations.NullMarked;
