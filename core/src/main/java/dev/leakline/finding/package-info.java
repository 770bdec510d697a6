/** How an opinion is made: findings, fingerprints, doubts. */
@NullMarked
package dev.leakline.finding;

import org.jspecify.annotations.NullMarked;
