/** What the command line asks for, and a server as it is seen once it is up. */
@NullMarked
package dev.fettle.servers.launch;

import org.jspecify.annotations.NullMarked;
