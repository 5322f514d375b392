/**
 * A server whose response times are known: what a load generator reports of it can be held against the truth.
 *
 * <pre>
 * TruthServer ──► Delay (StallQueue, HeavyTail)      when an answer is due: known before it is sent
 *      └────────► TruthRecord                        what was in fact, and how exact the server's own timing is
 * StallTruth                                         quantiles for even arrivals, without a server
 * </pre>
 */
@NullMarked
package dev.fettle.bench.truth;

import org.jspecify.annotations.NullMarked;
