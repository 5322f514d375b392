/** Load from other machines: the ports of a load, over a connection. */
@NullMarked
package dev.fettle.lab.agents;

import org.jspecify.annotations.NullMarked;
