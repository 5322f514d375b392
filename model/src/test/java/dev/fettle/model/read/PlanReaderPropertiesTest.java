package dev.fettle.model.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class PlanReaderPropertiesTest {
    private static final List<String> WORDS = List.of(
            "name",
            "target",
            "load",
            "hold",
            "knobs",
            "sweep",
            "grid",
            "compare",
            "variants",
            "set",
            "server",
            "app",
            "command",
            "url",
            "connections",
            "threads.max",
            "backlog",
            "jvm.flags",
            "from",
            "to",
            "objective",
            "limits",
            "tomcat",
            "jetty",
            "hello",
            "login",
            "4",
            "-1",
            "50ms",
            "1e9",
            "99999999999999999999",
            "0.1%",
            "true",
            "~",
            "http://x:1",
            "{port}",
            "{jvm}",
            "{artifact:a}",
            "../..",
            ": ",
            ", ",
            "\n",
            "\n  ",
            "\n- ",
            "{",
            "}",
            "[",
            "]",
            "&a ",
            "*a",
            "!!x ",
            "? ",
            "|\n",
            ">\n",
            "'",
            "\"",
            "#",
            "\t",
            "\\U0FFFFFFF",
            "---\n",
            "<<");

    private final PlanReader reader = new PlanReader(2, 4096);

    /** Junk is either a plan or a {@link PlanException} whose problems have places; nothing else gets out. */
    private void onlyPlanExceptions(String text) {
        try {
            reader.read("junk", text);
        } catch (PlanException e) {
            assertThat(e.problems()).isNotEmpty().allSatisfy(p -> {
                assertThat(p.line()).isGreaterThanOrEqualTo(0);
                assertThat(p.message()).isNotBlank().doesNotContain("\n", "null", "Exception");
            });
        }
    }

    @Property(tries = 2000)
    void anyText(@ForAll String text) {
        onlyPlanExceptions(text);
    }

    @Property(tries = 5000)
    void anyTextOfYamlPieces(@ForAll("pieces") String text) {
        onlyPlanExceptions(text);
    }

    @Property(tries = 5000)
    void aPlanWithAnyPartReplaced(@ForAll("damaged") String text) {
        onlyPlanExceptions(text);
    }

    @Provide
    Arbitrary<String> pieces() {
        return Arbitraries.of(WORDS).list().ofMaxSize(40).map(l -> String.join("", l));
    }

    @Provide
    Arbitrary<String> damaged() {
        String good = """
        name: p
        target: {server: jetty, app: work, options: {cpu: 1ms}, jvm: [-Xmx1g]}
        load: {connections: 5, request: {path: /a, headers: {A: b}}, measure: 4s}
        hold: {backlog: 100, jvm.heap: 64m}
        knobs: {threads.max: {from: 8, to: 100}, jvm.gc: [g1, z]}
        objective: {maximize: throughput, limits: {p99: 1s}}
        sweep: {grid: {load.connections: [1, 2]}}
        compare: {variants: {a: {set: {tcp.nodelay: true}}, b: {server: tomcat}}}
        """;
        Arbitrary<Integer> at = Arbitraries.integers().between(0, good.length());
        Arbitrary<String> piece = Arbitraries.of(WORDS);
        return net.jqwik.api.Combinators.combine(at, Arbitraries.integers().between(0, 12), piece)
                .as((from, length, with) ->
                        good.substring(0, from) + with + good.substring(Math.min(good.length(), from + length)));
    }

    @net.jqwik.api.Example
    void deepNestingAndBombsAreRefusedQuickly() {
        onlyPlanExceptions("[".repeat(500_000));
        onlyPlanExceptions("a: ".repeat(1000));
        onlyPlanExceptions("- ".repeat(200_000));
        var bomb = new StringBuilder("a0: &a0 [x]\n");
        for (int i = 1; i < 30; i++) {
            bomb.append("a%d: &a%d [*a%d, *a%d]\n".formatted(i, i, i - 1, i - 1));
        }
        onlyPlanExceptions(bomb.toString());
    }
}
