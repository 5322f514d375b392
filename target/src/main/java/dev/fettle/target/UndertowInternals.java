package dev.fettle.target;

import io.undertow.Undertow;
import io.undertow.connector.ByteBufferPool;
import io.undertow.server.OpenListener;
import io.undertow.server.handlers.RequestLimit;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import org.jspecify.annotations.Nullable;
import org.xnio.XnioWorker;
import org.xnio.channels.AcceptingChannel;

/**
 * Reads what Undertow holds and has no getter for, so that a value can be read back instead of believed. Null where a
 * release holds it elsewhere.
 */
final class UndertowInternals {
    private final @Nullable OpenListener listener;
    private final @Nullable AcceptingChannel<?> channel;

    private final XnioWorker worker;

    UndertowInternals(Undertow.ListenerInfo info, XnioWorker worker) {
        this.worker = worker;
        this.listener = Beans.field(info, "openListener") instanceof OpenListener open ? open : null;
        this.channel = Beans.field(info, "channel") instanceof AcceptingChannel<?> accepting ? accepting : null;
    }

    /** The value of an option that is in force; null where it is not set, or the knob is no option. */
    @Nullable
    Object option(Knob knob) {
        try {
            return switch (knob.holder()) {
                case "server" ->
                    listener == null ? null : listener.getUndertowOptions().get(UndertowOptionsByName.option(knob));
                case "socket" -> channel == null ? null : channel.getOption(UndertowOptionsByName.option(knob));
                case "worker" -> worker.getOption(UndertowOptionsByName.option(knob));
                default -> null;
            };
        } catch (IOException e) {
            return null;
        }
    }

    /** What the pool of buffers is like. */
    void buffers(Map<String, @Nullable Object> values) {
        ByteBufferPool pool = listener == null ? null : listener.getBufferPool();
        values.put("buffers.direct", pool == null ? null : pool.isDirect());
        values.put("buffers.size", pool == null ? null : pool.getBufferSize());
        values.put("buffers.pool", Beans.field(pool, "maximumPoolSize"));
        values.put("buffers.pool.local", Beans.field(pool, "threadLocalCacheSize"));
    }

    /** How many requests the limit lets wait. */
    static @Nullable Integer queueOf(RequestLimit limit) {
        return Beans.field(limit, "queue") instanceof BlockingQueue<?> queue
                ? (Integer) (int) Math.min(Integer.MAX_VALUE, (long) queue.size() + queue.remainingCapacity())
                : null;
    }
}
