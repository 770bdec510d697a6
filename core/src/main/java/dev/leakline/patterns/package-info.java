/** What the calls of profiled functions say of memory: two sets of rules, and a report by either. */
@NullMarked
package dev.leakline.patterns;

import org.jspecify.annotations.NullMarked;
