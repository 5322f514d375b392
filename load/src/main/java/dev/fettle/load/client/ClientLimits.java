package dev.fettle.load.client;

/**
 * The constant parts of a load that all its clients need.
 *
 * @param inFlight requests under way on one connection at once
 * @param keepAlive whether a connection is used again
 * @param opensAhead whether connections are opened before there is a request for them
 * @param thinkNanos how long a client of the closed model thinks between two iterations
 * @param stepCount number of steps recorded separately
 */
public record ClientLimits(
        int inFlight,
        boolean keepAlive,
        boolean opensAhead,
        long connectTimeoutNanos,
        long responseTimeoutNanos,
        long thinkNanos,
        int stepCount) {}
