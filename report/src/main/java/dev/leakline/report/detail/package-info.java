/** Parts of a result and of a recording, for questions that go deeper. */
@NullMarked
package dev.leakline.report.detail;

import org.jspecify.annotations.NullMarked;
