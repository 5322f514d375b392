/** What a server serves: the sample apps, a static file or a WAR, all counted alike. */
@NullMarked
package dev.fettle.servers.app;

import org.jspecify.annotations.NullMarked;
