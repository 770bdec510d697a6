/** Results as other programs show them: comments of pull requests, test reports, tables. */
@NullMarked
package dev.leakline.report.document;

import org.jspecify.annotations.NullMarked;
