/**
 * The load engine: sends HTTP requests to one address and records what comes back. This package has the shared types: what
 * a load is, and what its windows report. The other packages have one concern each, tied together by one loop per thread:
 *
 * <pre>
 * Schedule ──► Dispatcher ──► Client ──► Peer ──► Transport     when is the next request due · who sends it · what it does
 *                               │                               over which connection · bytes
 *                               └──► Recorder ──► Window        latencies, errors by kind, bytes
 * </pre>
 *
 * <p>Use it through {@link dev.fettle.load.LoadSpec}, {@link dev.fettle.load.engine.LoadEngine}, {@link dev.fettle.load.LoadRun}
 * and {@link dev.fettle.load.Window}. An engine thread shares nothing with another while it runs.
 */
@NullMarked
package dev.fettle.load;

import org.jspecify.annotations.NullMarked;
