/**
 * Compares the response parser with Netty's on mutated streams.
 *
 * <pre>
 * StreamMaker ──► Input ──► OurReader, NettyReader ──► Reading ──► Judge (IntendedDifference) ──► Tally
 * </pre>
 */
@NullMarked
package dev.fettle.bench.fuzz;

import org.jspecify.annotations.NullMarked;
