/** Whether rendered configuration does what it says, on a real server. */
@NullMarked
package dev.fettle.lab.check;

import org.jspecify.annotations.NullMarked;
