package dev.fettle.load.transport.uring;

/** Error numbers (asm-generic/errno.h); system calls and completions give them negative. */
public final class Errno {
    static final int EPERM = 1;
    public static final int EINTR = 4;
    static final int EAGAIN = 11;
    static final int EBUSY = 16;
    static final int EINVAL = 22;
    public static final int EMFILE = 24;
    public static final int EPIPE = 32;
    static final int ENOSYS = 38;
    static final int ETIME = 62;
    public static final int ECONNRESET = 104;
    public static final int ENOBUFS = 105;
    public static final int ETIMEDOUT = 110;
    public static final int ECONNREFUSED = 111;

    private Errno() {}

    /** libc's text for an error number, of either sign: for example {@code Connection refused}. */
    public static String text(int errno) {
        return Libc.strerror(Math.abs(errno));
    }
}
