/** Thousands of recordings on Spark: each becomes a row, and tables of rows answer for all of them. */
@org.jspecify.annotations.NullMarked
package dev.leakline.fleet;
