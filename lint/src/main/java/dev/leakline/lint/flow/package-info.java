/** Data flow in one Python file: tensors, their graphs, and the containers that keep them. */
@NullMarked
package dev.leakline.lint.flow;

import org.jspecify.annotations.NullMarked;
