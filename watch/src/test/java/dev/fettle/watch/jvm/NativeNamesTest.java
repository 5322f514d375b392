package dev.fettle.watch.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class NativeNamesTest {
    @Test
    void aDumpOfAnyJdkNamesTheKernelsThreads() {
        assertThat(NativeNames.parse("""
            "http-nio-127.0.0.1-8080-exec-1" #31 [4711] daemon prio=5 os_prio=0 cpu=1.2ms elapsed=3s tid=0x00007f nid=4711 waiting on condition  [0x00007f]
               java.lang.Thread.State: TIMED_WAITING (parking)
            \tat "not a thread" nid=1 x
            "a "quoted" one" #12 prio=5 os_prio=0 tid=0x00007f nid=0x1268 runnable [0x00007f]
            "VM Thread" os_prio=0 cpu=5.60ms elapsed=9s tid=0x00007f nid=4700 runnable
            "virtual" #99 virtual
            """))
                .isEqualTo(Map.of(
                        4711L, "http-nio-127.0.0.1-8080-exec-1", 0x1268L, "a \"quoted\" one", 4700L, "VM Thread"));
    }

    @Test
    void aProcessThatIsNoJvmHasNone() {
        assertThat(NativeNames.of(Long.MAX_VALUE).get()).isEmpty();
    }
}
