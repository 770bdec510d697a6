/** Hash tables for keys that come from files: seeded anew in each process, so that no file can make their keys collide. */
@NullMarked
package dev.leakline.hash;

import org.jspecify.annotations.NullMarked;
