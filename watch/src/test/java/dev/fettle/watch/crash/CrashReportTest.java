package dev.fettle.watch.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fettle.watch.crash.CrashReport.Cause;
import dev.fettle.watch.crash.CrashReport.Fact;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.StringReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CrashReportTest {
    private static final String HEAD = "#\n# A fatal error has been detected by the Java Runtime Environment:\n#\n";
    private static final String MEMORY =
            "#\n# There is insufficient memory for the Java Runtime Environment to continue.\n";

    private static CrashReport read(String text) throws IOException {
        return CrashReport.read(new BufferedReader(new StringReader(text)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "#  SIGSEGV (0xb) at pc=0x1, pid=1, tid=2~# Problematic frame:~# C  [libfoo.so+0x1c1a]  f+0x1a|NATIVE",
                "#  SIGSEGV (0xb) at pc=0x1, pid=1, tid=2~# Problematic frame:~# V  [libjvm.so+0x1c1a]  f+0x1a|JVM",
                "#  SIGSEGV (0xb) at pc=0x1, pid=1~# Problematic frame:~# J 12 c2 a.B.c()V (5 bytes) @ 0x1 [0x2+0x3]|JVM",
                "#  SIGBUS (0x7) at pc=0x1, pid=1~# Problematic frame:~# C  [libzip.so+0x1]  newEntry+0x2|FILE",
                "#  SIGSEGV (0xb) at pc=0x1, pid=1~# Problematic frame:~# V  [libjvm.so+0x1]~Current CompileTask:~C2:  9 7  4  a.B::c (7 bytes)|COMPILER",
                "#  Internal Error (debug.cpp:362), pid=1, tid=2~#  fatal error: OutOfMemory encountered: Java heap space|HEAP",
                "# An irrecoverable stack overflow has occurred.~#  SIGSEGV (0xb) at pc=0x1, pid=1~# Problematic frame:~# C  [libc.so+1]|STACK",
                "# Cannot create worker GC thread. Out of system resources.|THREAD",
                "#  Out of Memory Error (os_linux.cpp:2795), pid=1, tid=2|MEMORY",
                "#  Internal Error (g1.cpp:36), pid=1, tid=2~#  guarantee(ok) failed: must be|JVM"
            })
    void causes(String lines, Cause cause) throws IOException {
        assertThat(read(HEAD + lines.replace('~', '\n')).facts()).containsEntry(Fact.CAUSE, cause.name());
    }

    @Test
    void memoryInAContainer() throws IOException {
        CrashReport r = read(MEMORY
                + "# Native memory allocation (mmap) failed to map 262144000 bytes for committing reserved memory.\n"
                + "Command Line: -Dpassword=hunter2\nTime: Sun Nov 29 10:38:00 2026 UTC elapsed time: 12.5 seconds (0d)\n"
                + "Java Threads: ( => current thread )\n=>0x1 JavaThread \"main\" [x]\n  0x2 JavaThread \"b\" [x]\nTotal: 2\n\n"
                + "container (cgroup) information:\nmemory_limit_in_bytes: 524288 k\nmemory_usage_in_bytes: 520000 k\n"
                + "MemAvailable:    1000 kB\nPASSWORD=hunter2\n");
        assertThat(r.facts())
                .containsEntry(Fact.CAUSE, "MEMORY")
                .containsEntry(Fact.ASKED, "262144000")
                .containsEntry(Fact.LIMIT, "536870912")
                .containsEntry(Fact.USED, "532480000")
                .containsEntry(Fact.FREE, "1024000")
                .containsEntry(Fact.THREADS, "2")
                .containsEntry(Fact.SECONDS, "12");
        assertThat(r.toString()).doesNotContain("hunter2");
    }

    @Test
    void whoCalledIt() throws IOException {
        CrashReport r = read(HEAD
                + "#  SIGSEGV (0xb) at pc=0x1, pid=1, tid=2\n# Problematic frame:\n# C  [libfoo.so+0x1c1a]\n"
                + "Current thread (0x1):  JavaThread \"http-nio-8080-exec-7\" [_thread_in_native, id=4]\n"
                + "Java frames: (J=compiled Java code, j=interpreted, Vv=VM code)\n"
                + "v  ~StubRoutines::call_stub\n");
        assertThat(r.facts()).containsEntry(Fact.THREAD, "http-nio-8080-exec-7").doesNotContainKey(Fact.JAVA);
        CrashReport with =
                read(HEAD + "Java frames: (J)\nJ 12 c2 a.B.c([BI)V (5 bytes) @ 0x1 [0x2+0x3]\nj  a.D.e()V+1\n");
        assertThat(with.facts()).containsEntry(Fact.JAVA, "a.B.c");
    }

    @Test
    void whatIsNone() {
        assertThatThrownBy(() -> read("# a heading\n")).isInstanceOf(IOException.class);
    }

    /** However often it says so. */
    @Test
    void anErrorOfManyLinesIsCut() throws IOException {
        CrashReport r = read(HEAD + "# Error: something\n".repeat(1000));
        assertThat(r.facts().get(Fact.WHAT)).startsWith("Error: something").hasSizeLessThan(400);
    }
}
