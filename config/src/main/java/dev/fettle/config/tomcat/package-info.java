/** Tomcat's <code>server.xml</code> and <code>setenv.sh</code>. */
@NullMarked
package dev.fettle.config.tomcat;

import org.jspecify.annotations.NullMarked;
