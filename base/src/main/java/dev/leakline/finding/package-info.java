/** Building blocks of an opinion: findings, fingerprints, doubts. */
@NullMarked
package dev.leakline.finding;

import org.jspecify.annotations.NullMarked;
