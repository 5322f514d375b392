/** The load: arrivals, scenarios, requests and how they are sent. */
@NullMarked
package dev.fettle.model.load;

import org.jspecify.annotations.NullMarked;
