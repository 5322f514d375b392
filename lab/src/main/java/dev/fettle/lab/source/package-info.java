/** Programs built from revisions of a git repository. */
@NullMarked
package dev.fettle.lab.source;

import org.jspecify.annotations.NullMarked;
