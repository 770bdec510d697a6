/**
 * Tables as Parquet files. Written here, since the library for it comes as ten jars, half as large as all others of Leakline together, and asks for classes of
 * Hadoop and of geometry, of which a flat table uses none.
 */
@NullMarked
package dev.leakline.report.parquet;

import org.jspecify.annotations.NullMarked;
