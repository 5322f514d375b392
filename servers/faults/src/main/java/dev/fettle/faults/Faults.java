package dev.fettle.faults;

import dev.fettle.servers.Fault;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;

/** The faults by name. */
public enum Faults {
    SESSION_PER_REQUEST(SessionPerRequest::new),
    LOG_LOCK(LogLock::new),
    PARSE_UNCACHED(ParseUncached::new),
    DATABASE_POOL_SMALL(DatabasePoolSmall::new),
    CONNECTIONS_LEAKED(ConnectionsLeaked::new),
    HEAP_SMALL(HeapSmall::new),
    DEADLOCK(Deadlock::new),
    EXCEPTION_STORM(ExceptionStorm::new),
    GC_EXPLICIT(GcExplicit::new),
    NATIVE_LEAK(NativeLeak::new),
    HUMONGOUS(Humongous::new),
    ALLOCATION_STORM(AllocationStorm::new),
    ONE_HOT_THREAD(OneHotThread::new),
    BATCH_JOB(BatchJob::new),
    CACHE_LOCK(CacheLock::new),
    MONITOR(Monitor::new),
    JUC_LOCK(JucLock::new),
    FSYNC_PER_REQUEST(FsyncPerRequest::new),
    RETRY_STORM(RetryStorm::new),
    ERRORS_500(Errors500::new),
    REDIS_SLOW(RedisSlow::new),
    DNS_SLOW(DnsSlow::new),
    DELAYED_ACK(DelayedAck::new),
    IO_THREAD_BLOCKED(IoThreadBlocked::new),
    VIRTUAL_PINNED(VirtualPinned::new),
    CPU_QUOTA(CpuQuota::new),
    THREADS_LIMIT(ThreadsLimit::new),
    CACHE_COLD(CacheCold::new);

    private final Callable<Fault> maker;

    Faults(Callable<Fault> maker) {
        this.maker = maker;
    }

    /** As it is written in a plan. */
    public String id() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /**
     * Makes one.
     *
     * @throws IllegalArgumentException if there is none of that name
     */
    public static Fault of(String id) throws Exception {
        for (Faults f : values()) {
            if (f.id().equals(id)) {
                return f.maker.call();
            }
        }
        throw new IllegalArgumentException("there is no fault '" + id + "'; there are "
                + Arrays.stream(values()).map(Faults::id).collect(Collectors.joining(", ")));
    }
}
