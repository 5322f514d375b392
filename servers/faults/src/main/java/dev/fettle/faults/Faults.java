package dev.fettle.faults;

import dev.fettle.servers.app.Fault;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
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
    CACHE_COLD(CacheCold::new),
    SAFEPOINT_SLOW(SafepointSlow::new),
    STACK_DUMPS(StackDumps::new),
    CLASSES_LEAKED(ClassesLeaked::new),
    HIDDEN_CLASSES(HiddenClasses::new),
    THREADS_LEAKED(ThreadsLeaked::new),
    EXECUTORS_LEAKED(ExecutorsLeaked::new),
    FINALIZER_SLOW(FinalizerSlow::new),
    CLEANER_SLOW(CleanerSlow::new),
    LOG_VOLUME(LogVolume::new),
    DISK_FULL(DiskFull::new),
    FAR_PEER(FarPeer::new),
    LOSSY_PEER(FarPeer::new),
    PROCESS_STOPPED(() -> new Stopped(false)),
    HOST_STALL(() -> new Stopped(true));

    private final Callable<Fault> maker;

    Faults(Callable<Fault> maker) {
        this.maker = maker;
    }

    /** As it is written in a plan. */
    public String id() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /**
     * Makes one, or several at once: {@code log-lock+parse-uncached}.
     *
     * @throws IllegalArgumentException if there is none of that name
     */
    public static Fault of(String ids) throws Exception {
        var all = new ArrayList<Fault>();
        for (String id : ids.split("\\+", -1)) {
            all.add(one(id));
        }
        return all.size() == 1 ? all.get(0) : new Several(all);
    }

    private record Several(List<Fault> all) implements Fault {
        @Override
        public boolean onIoThread() {
            return all.stream().anyMatch(Fault::onIoThread);
        }

        @Override
        public void spoil(Visit visit) throws IOException {
            for (Fault f : all) {
                f.spoil(visit);
            }
        }
    }

    private static Fault one(String id) throws Exception {
        for (Faults f : values()) {
            if (f.id().equals(id)) {
                return f.maker.call();
            }
        }
        throw new IllegalArgumentException("there is no fault '" + id + "'; there are "
                + Arrays.stream(values()).map(Faults::id).collect(Collectors.joining(", ")));
    }
}
