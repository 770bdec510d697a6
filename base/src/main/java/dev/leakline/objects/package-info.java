/** An object graph as flat columns: what a holder dump holds. */
@NullMarked
package dev.leakline.objects;

import org.jspecify.annotations.NullMarked;
