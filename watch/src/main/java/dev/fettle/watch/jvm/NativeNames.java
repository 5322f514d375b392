package dev.fettle.watch.jvm;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Whole names of a JVM's threads by the kernel's ids, which only a thread dump has. A dump stops the JVM's threads
 * while it is taken, so it is taken only when names are needed, on a thread of its own, and again only after {@link
 * #AGAIN_NANOS} if at all: until then, threads started since have the kernel's names. Thread-safe.
 */
public final class NativeNames implements Supplier<Map<Long, String>> {
    private static final long AGAIN_NANOS = 60_000_000_000L;

    /** {@code "name" #12 [345] daemon prio=5 … nid=345 runnable}; in hexadecimal before JDK 20. */
    private static final Pattern THREAD =
            Pattern.compile("^\"(.*)\" [^\"\\n]*?\\bnid=(0x[0-9a-f]{1,15}|[0-9]{1,18}) ", Pattern.MULTILINE);

    private final long pid;
    private final boolean again;
    private final LongSupplier clock;
    private Map<Long, String> names = Map.of();
    private @Nullable CompletableFuture<Map<Long, String>> asked;
    private long askedAt;

    private NativeNames(long pid, boolean again) {
        this.pid = pid;
        this.again = again;
        this.clock = System::nanoTime;
    }

    /** Names of a JVM of the same user in the same PID namespace. */
    public static NativeNames of(long pid) {
        return new NativeNames(pid, true);
    }

    /** The same, from one dump: of a JVM that somebody may depend on. */
    public static NativeNames once(long pid) {
        return new NativeNames(pid, false);
    }

    /** The names known so far; none for a JVM that does not answer. */
    @Override
    public synchronized Map<Long, String> get() {
        long now = clock.getAsLong();
        if (asked == null || again && asked.isDone() && now - askedAt > AGAIN_NANOS) {
            askedAt = now;
            asked = new CompletableFuture<>();
            CompletableFuture<Map<Long, String>> answer = asked;
            Thread.ofPlatform().daemon().name("fettle-thread-names").start(() -> answer.complete(ask()));
        }
        if (asked.isDone()) {
            names = asked.getNow(names);
        }
        return names;
    }

    private Map<Long, String> ask() {
        try (RunningJvm jvm = RunningJvm.attach(pid)) {
            return parse(new ThreadDump(jvm).take(false));
        } catch (IOException | RuntimeException e) {
            return Map.of(); // then the kernel's names must suffice
        }
    }

    static Map<Long, String> parse(String dump) {
        var all = new HashMap<Long, String>();
        Matcher m = THREAD.matcher(dump);
        while (m.find()) {
            all.put(Long.decode(m.group(2)), m.group(1));
        }
        return Map.copyOf(all);
    }
}
