/** How requests are offered: arrivals, scenarios, what travels and how it is encoded. */
@NullMarked
package dev.fettle.model.load;

import org.jspecify.annotations.NullMarked;
