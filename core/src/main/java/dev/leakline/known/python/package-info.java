/** Lines of Python, read one by one as text: functions, expressions, and what becomes of a value. */
@NullMarked
package dev.leakline.known.python;

import org.jspecify.annotations.NullMarked;
