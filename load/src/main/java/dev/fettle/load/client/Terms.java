package dev.fettle.load.client;

/**
 * What a load says to all its clients and never changes.
 *
 * @param inFlight requests under way on one connection at once
 * @param keepAlive whether a connection is used again
 * @param opensAhead whether connections are opened before there is a request for them
 * @param thinkNanos how long a client of the closed model thinks between two iterations
 * @param stepCount how many steps are told apart
 */
public record Terms(
        int inFlight,
        boolean keepAlive,
        boolean opensAhead,
        long connectTimeoutNanos,
        long responseTimeoutNanos,
        long thinkNanos,
        int stepCount) {}
