package dev.fettle.target;

import io.undertow.Undertow;
import io.undertow.server.OpenListener;
import io.undertow.server.handlers.RequestLimit;
import java.io.IOException;
import java.lang.reflect.Field;
import java.util.concurrent.BlockingQueue;
import org.jspecify.annotations.Nullable;
import org.xnio.Option;
import org.xnio.channels.AcceptingChannel;

/**
 * Reads what Undertow holds and has no getter for, so that a value can be read back instead of believed. Null where a
 * release holds it elsewhere.
 */
final class UndertowInternals {
    private final @Nullable OpenListener listener;
    private final @Nullable AcceptingChannel<?> channel;

    UndertowInternals(Undertow.ListenerInfo info) {
        this.listener = field(info, "openListener") instanceof OpenListener open ? open : null;
        this.channel = field(info, "channel") instanceof AcceptingChannel<?> accepting ? accepting : null;
    }

    @Nullable
    Object serverOption(Option<?> option) {
        return listener == null ? null : listener.getUndertowOptions().get(option);
    }

    @Nullable
    Object socketOption(Option<?> option) {
        try {
            return channel == null ? null : channel.getOption(option);
        } catch (IOException e) {
            return null;
        }
    }

    @Nullable
    Boolean directBuffers() {
        return listener == null ? null : listener.getBufferPool().isDirect();
    }

    /** How many requests the limit lets wait. */
    static @Nullable Integer queueOf(RequestLimit limit) {
        return field(limit, "queue") instanceof BlockingQueue<?> queue
                ? (Integer) (int) Math.min(Integer.MAX_VALUE, (long) queue.size() + queue.remainingCapacity())
                : null;
    }

    private static @Nullable Object field(Object owner, String name) {
        try {
            Field field = owner.getClass().getDeclaredField(name);
            field.setAccessible(true);
            return field.get(owner);
        } catch (ReflectiveOperationException | RuntimeException e) {
            return null;
        }
    }
}
