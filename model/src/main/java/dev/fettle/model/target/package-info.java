/** What is put under test, and the hooks around it. */
@NullMarked
package dev.fettle.model.target;

import org.jspecify.annotations.NullMarked;
