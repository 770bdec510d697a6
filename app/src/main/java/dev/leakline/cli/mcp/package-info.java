/** The server for agents. */
@NullMarked
package dev.leakline.cli.mcp;

import org.jspecify.annotations.NullMarked;
