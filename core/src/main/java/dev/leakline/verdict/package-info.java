/** One word for all that was found, and the order of the findings. */
@NullMarked
package dev.leakline.verdict;

import org.jspecify.annotations.NullMarked;
