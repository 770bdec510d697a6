/** Reports that Leakline wrote, read back into the result that they were made of. */
@NullMarked
package dev.leakline.read.report;

import org.jspecify.annotations.NullMarked;
