/** A language server: findings while people write. */
@NullMarked
package dev.leakline.lint.server;

import org.jspecify.annotations.NullMarked;
