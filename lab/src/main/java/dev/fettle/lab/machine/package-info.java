/** The machine and the workspace: CPUs, ports, limits, JDKs, folders. */
@NullMarked
package dev.fettle.lab.machine;

import org.jspecify.annotations.NullMarked;
