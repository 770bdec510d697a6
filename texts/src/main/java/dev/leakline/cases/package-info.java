/** The texts of a case before anything is concluded: what each says, and whose words they are. */
@NullMarked
package dev.leakline.cases;

import org.jspecify.annotations.NullMarked;
