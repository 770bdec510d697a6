/** Files that are damaged, or made to do harm. */
@NullMarked
package dev.leakline.testkit.fault;

import org.jspecify.annotations.NullMarked;
