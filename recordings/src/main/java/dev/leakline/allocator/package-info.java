/** A model of PyTorch's CUDA caching allocator that does, event for event, what the real one does. */
@NullMarked
package dev.leakline.allocator;

import org.jspecify.annotations.NullMarked;
