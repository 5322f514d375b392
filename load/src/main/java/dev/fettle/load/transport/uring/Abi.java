package dev.fettle.load.transport.uring;

/**
 * Constants of the kernel's interface, from {@code linux/io_uring.h} unless another header is named. A struct's fields
 * are given as offsets in bytes. They are the same on all little-endian machines with the common system call table,
 * which {@link Ring} checks for.
 */
final class Abi {

    // asm-generic/unistd.h
    static final long SYS_IO_URING_SETUP = 425;
    static final long SYS_IO_URING_ENTER = 426;
    static final long SYS_IO_URING_REGISTER = 427;

    static final int SETUP_CQSIZE = 1 << 3;
    static final int SETUP_CLAMP = 1 << 4;
    static final int SETUP_R_DISABLED = 1 << 6;
    static final int SETUP_SUBMIT_ALL = 1 << 7;
    static final int SETUP_COOP_TASKRUN = 1 << 8;
    static final int SETUP_SINGLE_ISSUER = 1 << 12;
    static final int SETUP_DEFER_TASKRUN = 1 << 13;
    static final int SETUP_NO_SQARRAY = 1 << 16;

    static final int FEAT_NO_IOWAIT = 1 << 17;

    static final int ENTER_GETEVENTS = 1;
    static final int ENTER_EXT_ARG = 1 << 3;
    static final int ENTER_NO_IOWAIT = 1 << 7;

    static final int REGISTER_ENABLE_RINGS = 12;
    static final int REGISTER_PBUF_RING = 22;

    static final long OFF_RINGS = 0;
    static final long OFF_SQES = 0x1000_0000L;

    static final int OP_ASYNC_CANCEL = 14;
    static final int OP_CONNECT = 16;
    static final int OP_CLOSE = 19;
    static final int OP_READ = 22;
    static final int OP_SEND = 26;
    static final int OP_RECV = 27;

    static final int SQE_BUFFER_SELECT = 1 << 5;
    static final int SQE_CQE_SKIP_SUCCESS = 1 << 6;

    static final int RECVSEND_POLL_FIRST = 1;
    static final int RECV_MULTISHOT = 1 << 1;

    static final int CQE_BUFFER = 1;
    static final int CQE_MORE = 1 << 1;
    static final int CQE_BUFFER_SHIFT = 16;

    /** struct io_uring_params. */
    static final class Params {
        static final long SIZE = 120;
        static final long SQ_ENTRIES = 0;
        static final long CQ_ENTRIES = 4;
        static final long FLAGS = 8;
        static final long FEATURES = 20;
        static final long SQ_TAIL = 44;
        static final long SQ_HEAD = 40;
        static final long SQ_ARRAY = 64;
        static final long CQ_HEAD = 80;
        static final long CQ_TAIL = 84;
        static final long CQ_CQES = 100;

        private Params() {}
    }

    /** struct io_uring_sqe, as the eight-byte words it consists of. */
    static final class Sqe {
        static final long SIZE = 64;
        /** opcode 8 bits, flags 8, ioprio 16, fd 32. */
        static final long WHAT = 0;

        static final long OFF = 8;
        static final long ADDR = 16;
        /** len 32 bits, the operation's flags 32. */
        static final long LEN = 24;

        static final long USER_DATA = 32;
        /** buf_group 16 bits, personality 16, file_index 32. */
        static final long BUF_GROUP = 40;

        private Sqe() {}
    }

    /** struct io_uring_cqe. */
    static final class Cqe {
        static final long SIZE = 16;
        static final long USER_DATA = 0;
        static final long RES = 8;
        static final long FLAGS = 12;

        private Cqe() {}
    }

    /** struct io_uring_getevents_arg. */
    static final class GetEvents {
        static final long SIZE = 24;
        static final long TIMESPEC = 16;

        private GetEvents() {}
    }

    /** struct io_uring_buf_reg. */
    static final class BufReg {
        static final long SIZE = 40;
        static final long ADDR = 0;
        static final long ENTRIES = 8;
        static final long GROUP = 12;

        private BufReg() {}
    }

    /** struct io_uring_buf; the ring's tail lies in the reserved field of the first. */
    static final class Buf {
        static final long SIZE = 16;
        static final long ADDR = 0;
        static final long LEN = 8;
        static final long ID = 12;
        static final long TAIL = 14;

        private Buf() {}
    }

    private Abi() {}
}
