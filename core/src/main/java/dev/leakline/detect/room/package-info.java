/** Failed requests and fragmentation: where room for a block was, and what took it. */
@NullMarked
package dev.leakline.detect.room;

import org.jspecify.annotations.NullMarked;
