/** Other machines, reached over the user's own ssh: what they are like, and commands of Fettle that run there. */
@NullMarked
package dev.fettle.lab.remote;

import org.jspecify.annotations.NullMarked;
