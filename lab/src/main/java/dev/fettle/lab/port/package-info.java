/**
 * What a trial's drivers touch: a target, its load, and what watches it. What crosses these ports is data, so that the other side may be
 * another process, or on another host: no object is shared, and nothing is called back.
 */
@NullMarked
package dev.fettle.lab.port;

import org.jspecify.annotations.NullMarked;
