package dev.fettle.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SmallPartsTest {

    @Test
    void jsonIsOneEscapedLine() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("a\"b", "c\\d\n\u2028é");
        map.put("n", null);
        map.put("list", List.of(1, 2.5, true, Map.of()));
        map.put("nan", Double.NaN);
        assertThat(Json.write(map))
                .isEqualTo(
                        "{\"a\\\"b\":\"c\\\\d\\u000a\\u2028é\",\"n\":null,\"list\":[1,2.5,true,{}],\"nan\":\"NaN\"}");
    }

    private static class Above {
        private final String inherited = "above";

        public java.time.Duration getWait() {
            return java.time.Duration.ofSeconds(2);
        }

        public boolean isFine() {
            return true;
        }

        public int getBroken() {
            throw new IllegalStateException("no");
        }
    }

    private static final class Below extends Above {
        private final Runnable task = () -> String.valueOf(this.inheritedToo());

        private String inheritedToo() {
            return "below";
        }
    }

    @Test
    void whatObjectsHoldIsReadByName() {
        var below = new Below();
        assertThat(Beans.field(below, "inherited")).isEqualTo("above");
        assertThat(Beans.get(below, "wait")).isEqualTo(2000L);
        assertThat(Beans.get(below, "fine")).isEqualTo(true);
        assertThat(Beans.held(below.task, Above.class.getName())).isSameAs(below);
        assertThat(Beans.is(below, Above.class.getName())).isTrue();
        assertThat(Beans.is(below, "java.lang.Runnable")).isFalse();
    }

    @Test
    void whatIsNotThereIsNull() {
        var below = new Below();
        assertThat(Beans.get(below, "nothing")).isNull();
        assertThat(Beans.get(below, "broken")).isNull();
        assertThat(Beans.get(null, "wait")).isNull();
        assertThat(Beans.field(below, "nothing")).isNull();
        assertThat(Beans.field(Thread.currentThread(), "holder"))
                .as("the JDK is closed to this test")
                .isNull();
        assertThat(Beans.held(null, "x")).isNull();
        assertThat(Beans.constant(getClass().getClassLoader(), "no.such.Class", "X"))
                .isNull();
    }

    @Test
    void theTableHasEveryServersKnobs() {
        for (String server : List.of("tomcat", "jetty", "undertow")) {
            KnobTable table = KnobTable.of(server);
            assertThat(table.all()).as(server).hasSizeGreaterThan(30);
            assertThat(table.find("threads.max").orElseThrow().live()).isTrue();
            assertThat(table.find("threads.maximum")).isEmpty();
            assertThat(table.instead("threads.maximum")).isEmpty();
        }
        assertThat(KnobTable.of("tomcat").instead("threads.selectors").orElseThrow())
                .contains("one poller");
        Knob compression = KnobTable.of("tomcat").find("compression").orElseThrow();
        assertThat(compression.own(true)).isEqualTo("on");
        assertThat(compression.common("off")).isEqualTo(false);
        Iterator<Knob> none = KnobTable.of("nginx").all().iterator();
        assertThat(none).isExhausted();
    }

    /** ZGC's and Shenandoah's cycles run beside the program: their time is not the program's. */
    @Test
    void onlyPausesCountAsCollection() {
        assertThat(List.of("ZGC Minor Cycles", "ZGC Major Cycles", "ZGC Cycles", "Shenandoah Cycles"))
                .noneMatch(ProcessStats::pauses);
        assertThat(List.of("ZGC Minor Pauses", "Shenandoah Pauses", "G1 Young Generation", "G1 Concurrent GC", "Copy"))
                .allMatch(ProcessStats::pauses);
    }

    @Test
    void countsThatMakeNoSenseAreUnknown() {
        Map<String, Object> stats = new LinkedHashMap<>();
        Pool.of(-2, 3, null, "many").orInFlight(7).addTo(stats);
        assertThat(stats)
                .containsEntry("busyWorkers", 7L)
                .containsEntry("workers", 3L)
                .containsEntry("queued", null)
                .containsEntry("connections", null);
    }
}
