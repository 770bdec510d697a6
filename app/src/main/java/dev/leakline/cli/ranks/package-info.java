/** Commands about many recordings: the ranks of a job, fleets. */
@NullMarked
package dev.leakline.cli.ranks;

import org.jspecify.annotations.NullMarked;
