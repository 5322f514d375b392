package dev.fettle.model.trial;

/**
 * The ids of signals, in one place: code that measures a figure and code that reads it both use these constants, so
 * that nothing reads an id that nobody writes. {@link Catalogue} describes them; pools have ids of their own ({@link
 * #POOL}).
 */
public final class Signals {
    public static final String LOAD_RATE = "load.rate";
    public static final String LOAD_ERRORS = "load.errors";
    public static final String LOAD_P50 = "load.p50";
    public static final String LOAD_P99 = "load.p99";
    public static final String LOAD_INFLIGHT = "load.inflight";

    public static final String REQUESTS_RATE = "requests.rate";
    public static final String REQUESTS_ERRORS = "requests.errors";
    public static final String REQUESTS_FAILED = "requests.failed";
    public static final String REQUESTS_SLOW = "requests.slow";
    public static final String REQUESTS_UNDER_WAY = "requests.underWay";
    public static final String REQUESTS_WRITING = "requests.writing";
    public static final String REQUESTS_P99 = "requests.p99";
    public static final String FRONT_RATE = "front.rate";
    public static final String FRONT_FAILED = "front.failed";
    public static final String FRONT_SLOW = "front.slow";
    public static final String FRONT_UNDER_WAY = "front.underWay";
    public static final String FRONT_BEHIND = "front.behind";
    public static final String FRONT_P99 = "front.p99";

    public static final String CPU_HOTTEST = "cpu.hottest";
    public static final String BUSIEST_CPU = "busiest.cpu";
    public static final String BUSIEST_READY = "busiest.ready";

    public static final String CPU_CORES = "cpu.cores";
    public static final String CPU_NEIGHBOURS = "cpu.neighbours";
    public static final String CPU_TOTAL = "cpu.total";
    public static final String CPU_ACCEPTOR = "cpu.acceptor";
    public static final String CPU_IO = "cpu.io";
    public static final String CPU_WORKERS = "cpu.workers";
    public static final String CPU_GC = "cpu.gc";
    public static final String CPU_JIT = "cpu.jit";
    public static final String CPU_APP = "cpu.app";
    public static final String CPU_OTHER = "cpu.other";

    public static final String WORKERS_TOTAL = "workers.total";
    public static final String WORKERS_BUSY = "workers.busy";
    public static final String WORKERS_QUEUED = "workers.queued";

    public static final String IO_THREADS = "io.threads";
    public static final String IO_BLOCKED = "io.blocked";

    public static final String VIRTUAL_CARRIERS = "virtual.carriers";
    public static final String VIRTUAL_MOUNTED = "virtual.mounted";
    public static final String VIRTUAL_QUEUED = "virtual.queued";

    public static final String HEAP_USED = "heap.used";
    public static final String HEAP_COMMITTED = "heap.committed";
    public static final String HEAP_MAX = "heap.max";
    public static final String HEAP_AFTER_GC = "heap.afterGc";
    public static final String HEAP_LIVE = "heap.live";
    public static final String HEAP_OLD = "heap.old";

    public static final String GC_SHARE = "gc.share";
    public static final String GC_PAUSE_MAX = "gc.pauseMax";
    public static final String GC_COUNT = "gc.count";
    public static final String GC_EXPLICIT = "gc.explicit";
    public static final String GC_HUMONGOUS = "gc.humongous";
    public static final String GC_CONCURRENT = "gc.concurrent";
    public static final String GC_MARKING = "gc.marking";
    public static final String GC_MARKERS = "gc.markers";
    public static final String GC_WORKERS = "gc.workers";
    public static final String GC_WAITS = "gc.waits";
    public static final String SAFEPOINT_SHARE = "safepoint.share";
    public static final String SAFEPOINT_REACH = "safepoint.reach";
    public static final String SAFEPOINT_COUNT = "safepoint.count";
    public static final String FINALIZERS_WAITING = "finalizers.waiting";

    public static final String ALLOC_RATE = "alloc.rate";

    public static final String MEMORY_RSS = "memory.rss";
    public static final String MEMORY_DIRECT = "memory.direct";
    public static final String METASPACE_USED = "metaspace.used";
    public static final String CODECACHE_USED = "codecache.used";
    public static final String CODECACHE_MAX = "codecache.max";

    public static final String SWAP_USED = "swap.used";

    public static final String CGROUP_MEMORY = "cgroup.memory";
    public static final String CGROUP_MEMORY_MAX = "cgroup.memoryMax";
    public static final String CGROUP_PIDS = "cgroup.pids";
    public static final String CGROUP_THROTTLED = "cgroup.throttled";
    public static final String CGROUP_QUOTA = "cgroup.quota";

    public static final String THREADS_TOTAL = "threads.total";
    public static final String THREADS_STARTED = "threads.started";
    public static final String THREADS_DEADLOCKED = "threads.deadlocked";

    public static final String CLASSES_LOADED = "classes.loaded";

    public static final String FDS_OPEN = "fds.open";
    public static final String FDS_LIMIT = "fds.limit";

    public static final String SESSIONS_ACTIVE = "sessions.active";

    public static final String SOCKETS_ESTABLISHED = "sockets.established";
    public static final String SOCKETS_CLOSE_WAIT = "sockets.closeWait";
    public static final String SOCKETS_TIME_WAIT = "sockets.timeWait";
    public static final String SOCKETS_SYN_RECV = "sockets.synRecv";
    public static final String SOCKETS_HELD = "sockets.held";
    public static final String SOCKETS_TRIPS = "sockets.trips";
    public static final String SOCKETS_SENT = "sockets.sent";
    public static final String SOCKETS_SENT_AGAIN = "sockets.sentAgain";
    public static final String SOCKETS_OPENED = "sockets.opened";
    public static final String SOCKETS_UNTAKEN = "sockets.untaken";
    public static final String SOCKETS_OTHER = "sockets.other";

    public static final String ACCEPT_QUEUE = "accept.queue";
    public static final String ACCEPT_LIMIT = "accept.limit";
    public static final String ACCEPT_DROPS = "accept.drops";
    public static final String ACCEPT_OVERFLOWS = "accept.overflows";

    public static final String TCP_RETRANSMITS = "tcp.retransmits";
    public static final String TCP_SYN_RETRANSMITS = "tcp.synRetransmits";
    public static final String TCP_OPENS = "tcp.opens";
    public static final String TCP_RESETS = "tcp.resets";

    public static final String HOST_BUSY = "host.busy";
    public static final String HOST_STEAL = "host.steal";
    public static final String HOST_FOREIGN = "host.foreign";
    public static final String HOST_STALL = "host.stall";
    public static final String PROCESS_STOPPED = "process.stopped";
    public static final String CPUS_BUSY = "cpus.busy";

    public static final String DISK_WRITE = "disk.write";
    public static final String DISK_READ = "disk.read";
    public static final String DISK_BUSY = "disk.busy";
    public static final String FILES_GROWN = "files.grown";
    public static final String DISK_FREE = "disk.free";
    public static final String DISK_SIZE = "disk.size";

    public static final String CTXT_VOLUNTARY = "ctxt.voluntary";
    public static final String CTXT_INVOLUNTARY = "ctxt.involuntary";
    public static final String CTXT_SERVING = "ctxt.serving";

    public static final String FAULTS_MAJOR = "faults.major";

    public static final String RUNQUEUE_WAIT = "runqueue.wait";

    public static final String WAIT_RUNNING = "wait.running";
    public static final String WAIT_LOCK = "wait.lock";
    public static final String WAIT_POOL = "wait.pool";
    public static final String WAIT_SOCKET = "wait.socket";
    public static final String WAIT_CLIENT = "wait.client";
    public static final String WAIT_LOOKUP = "wait.lookup";
    public static final String WAIT_FILE = "wait.file";
    public static final String WAIT_SLEEP = "wait.sleep";
    public static final String WAIT_OTHER = "wait.other";
    public static final String WAIT_IDLE = "wait.idle";

    public static final String PRESSURE_CPU = "pressure.cpu";
    public static final String PRESSURE_MEMORY = "pressure.memory";
    public static final String PRESSURE_IO = "pressure.io";

    /** Prefix of the ids of a pool: {@code pool.<name>.<figure>}. */
    public static final String POOL = "pool.";

    private Signals() {}
}
