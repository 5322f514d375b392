/**
 * The load engine: offers HTTP requests to one address and records what came back. This package has the words: what a load is,
 * and what windows of it say. The other packages are the parts, one concern each, and a loop a thread which ties them together:
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
