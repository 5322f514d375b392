/**
 * A server whose response times are known, so that a load generator's report about it can be compared with the truth.
 *
 * <pre>
 * TruthServer ──► Delay (StallQueue, HeavyTail)      when an answer is due: known before it is sent
 *      └────────► TruthRecord                        what really happened, and how exact the server's own timing is
 * StallTruth                                         quantiles for even arrivals, without a server
 * </pre>
 */
@NullMarked
package dev.fettle.bench.truth;

import org.jspecify.annotations.NullMarked;
