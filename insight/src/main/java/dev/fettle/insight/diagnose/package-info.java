/** Names what limits a server, or is broken in it, from what one trial saw, and says how to refute it. */
@NullMarked
package dev.fettle.insight.diagnose;

import org.jspecify.annotations.NullMarked;
