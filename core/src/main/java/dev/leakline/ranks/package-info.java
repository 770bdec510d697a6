/** Many processes of one job as one answer: each in a summary, and what the summaries say when they are laid side by side. */
@NullMarked
package dev.leakline.ranks;

import org.jspecify.annotations.NullMarked;
