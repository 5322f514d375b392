package dev.fettle.report.html;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.model.text.Format;
import dev.fettle.model.trial.Profile;
import dev.fettle.model.trial.Signal;
import dev.fettle.model.trial.Timeline;
import dev.fettle.report.Quantities;
import dev.fettle.report.WatchReport;
import dev.fettle.report.text.Runs;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.DoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** What a page's scripts compute and do, asked from inside it in a real browser. Skipped where there is none. */
class ScriptTest {
    private static final int BUDGET = 5_000;

    /** Expressions, and what each is as text: numbers. */
    private static final List<Map.Entry<String, String>> NUMBERS = List.of(
            Map.entry("Fettle.percentile(10)", "90"),
            Map.entry("Fettle.percentile(1e4)", "99.99"),
            Map.entry("Fettle.percentile(1e6)", "99.9999"));

    /** Every form of figure of the scripts, with {@code %s} for a value, and what formats it elsewhere. */
    private static final Map<String, DoubleFunction<String>> FORMS = Map.of(
            "num(%s)",
            Format::number,
            "count(%s)",
            Format::count,
            "rate(%s)",
            Format::rate,
            "share(%s)",
            Format::share,
            "bytes(%s)",
            Format::bytes,
            "ms(%s)",
            v -> Format.seconds(v / 1000),
            "figure('µs', %s)",
            v -> Format.seconds(v / 1e6),
            "quantity('share', %s)",
            v -> Quantities.text(Signal.Unit.SHARE, v),
            "quantity('millis', %s)",
            v -> Quantities.text(Signal.Unit.MILLIS, v),
            "quantity('bytes_per_second', %s)",
            v -> Quantities.text(Signal.Unit.BYTES_PER_SECOND, v));

    /** Of all sizes, and next to where a digit or a unit changes. */
    private static double[] values() {
        var random = new Random(34);
        DoubleStream sizes = random.doubles(300, -7, 13).map(e -> Math.pow(10, e));
        DoubleStream measured = random.doubles(200, -4, 6).map(e -> Math.round(Math.pow(10, e) * 1e6) / 1e6);
        DoubleStream borders = DoubleStream.of(
                        0, 0.0005, 0.00005, 0.000995, 0.00995, 0.0995, 0.5, 0.07, 0.995, 0.9995, 1, 1.005, 2.675, 9.995,
                        59.95, 99.95, 100, 999.5, 1000, 1023.5, 59_949.99, 59_950, 3_599_499, 3_599_500, 7_170_000)
                .flatMap(v -> DoubleStream.of(v, v * (1 - 1e-9), v * (1 + 1e-9), v * 1024));
        double[] all =
                Stream.of(sizes, measured, borders).flatMapToDouble(s -> s).toArray();
        return Arrays.stream(all).flatMap(v -> DoubleStream.of(v, -v)).toArray();
    }

    @TestFactory
    List<DynamicTest> figuresReadAsInSentencesAndTables(@TempDir Path folder) throws Exception {
        double[] values = values();
        var asked = new ArrayList<Map.Entry<String, String>>();
        FORMS.forEach((form, other) -> asked.add(Map.entry(
                Arrays.toString(values) + ".map(v => Fettle." + form.formatted("v") + ").join('|')",
                Arrays.stream(values).mapToObj(other).collect(Collectors.joining("|")))));
        return ask(folder, r -> r.render(Runs.aa()), asked);
    }

    private static final String OVERLOAD = "Fettle.builders.overload({ overload: { spikeFrom: 0, spikeTo: 1,"
            + " points: [[0, 9, 9, 5], [1, 0, 0], [2, 9, 9, 5]] } }, Fettle.colours(), 800).option";

    /** Stacked figures of a group, and lines of another: the middle was not read, and one reading lacks one of the two. */
    private static String watched(String group, String values) {
        return "Fettle.watchPlot(0, { at: null })({ watch: { plots: [{ id: 'w', group: '" + group
                + "', unit: 'count' }]," + " trials: [{ start: 0, step: 1, points: 12, plots: [[" + values
                + "]] }] } }, Fettle.colours(), 800).option";
    }

    private static final String LINE = watched(
            "heap", "{ id: 'a', name: 'a', values: [1, 2, 3, null, null, null, null, null, 4, null, null, 5] }");
    private static final String STACK = watched(
            "wait",
            "{ id: 'a', name: 'a', values: [1, 1, null, 1, null, null, null, null, null, 1, 1, 1] },"
                    + "{ id: 'b', name: 'b', values: [2, 2, 2, 2, null, null, null, null, null, 2, 2, 2] }");

    /** How many parts the line has that is drawn. */
    private static String drawn(String option) {
        return "(() => { const box = document.createElement('div'); box.style.cssText = 'width:800px;height:300px';"
                + " document.body.append(box); echarts.init(box, null, { renderer: 'svg' }).setOption(" + option + ");"
                + " return Math.max(...[...box.querySelectorAll('path')].map(p => p.getAttribute('d').split('M').length - 1)); })()";
    }

    /** A gap is no line. */
    private static final List<Map.Entry<String, String>> GAPS = List.of(
            Map.entry(LINE + ".series[0].data.map(p => p.value[1]).join()", "1,2,3,,4,5"),
            Map.entry("Fettle.gapped([1, 6, 11, 16].map(t => ({ value: [t, 7] }))).length", "4"),
            Map.entry("Fettle.gapped([]).length", "0"),
            Map.entry(drawn(LINE), "2"),
            Map.entry(
                    drawn(watched("heap", "{ id: 'a', name: 'a', values: [1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3] }")),
                    "1"),
            Map.entry(
                    "Fettle.gapped([1, 2, 3, 9, 15, 16].map(t => ({ value: [t, 7] }))).map(p => p.symbol || '').join()",
                    ",,,,circle,,,"),
            // the highest is first: b on a
            Map.entry(STACK + ".series[0].data.map(p => p.value[1]).join()", "3,3,2,3,,3,3,3"),
            Map.entry(STACK + ".series[1].data.map(p => p.own).join()", "1,1,,1,,1,1,1"),
            Map.entry(told(STACK, "{ own: null }"), "3.00 s<br>of a <b>not read</b>"),
            Map.entry(told(STACK, "{ own: 0 }"), "3.00 s<br>of a <b>0</b>"),
            Map.entry(told(STACK, "{ own: null, gap: true }"), ""),
            Map.entry(OVERLOAD + ".series[2].data.map(p => p[1]).join()", "5,,5"),
            Map.entry(
                    OVERLOAD
                            + ".tooltip.formatter([['in time', 0], ['p99', null]].map(v => ({ marker: '', seriesName: v[0],"
                            + " value: [1, v[1]] })))",
                    "<b>1.00 s</b><br>in time: 0/s"),
            Map.entry(time("null"), "x<br>0/s"),
            Map.entry(time("2"), "x<br>0/s, p99 2.00 ms"));

    private static String told(String option, String data) {
        return option + ".tooltip.formatter([{ marker: 'of ', seriesName: 'a', value: [3, 1], data: " + data + " }])";
    }

    private static String time(String p99) {
        return "Fettle.builders.time({ time: [] }, Fettle.colours(), 800).option.tooltip.formatter([{ marker: '',"
                + " seriesName: 'x', value: [1, 0], data: { p: [1, 0, " + p99 + ", true] } }])";
    }

    private static String forest(String builder, String row, String more) {
        return "Fettle.builders." + builder + "({ " + builder + ": { metric: 'x', rows: [" + row + "]" + more
                + " } }, Fettle.colours(), 800).option";
    }

    private static final String SAME = "{ label: 'a', est: 1, text: '+0.0 %' }";
    private static final String HEAT =
            "Fettle.builders.heat({ heat: { own: 'memory', unit: 'MiB', slices: [{ x: ['1'], y: ['a', 'b', 'c'],"
                    + " xName: 'x', yName: 'y', cells: [{ x: 0, y: 0, est: 5, p99: 1 }, { x: 0, y: 1, est: 4, p99: 1, own: 3 },"
                    + " { x: 0, y: 2, problem: 'died' }] }] } }, Fettle.colours(), 800).option.series[0].renderItem";

    private static String cell(int index) {
        return HEAT + "({ dataIndex: " + index + " }, { size: () => [50, 50], coord: () => [0, 0] }).textContent.style";
    }

    private static String labelled(String option, String axis) {
        return "(a => a.max > a.min && (a.max - a.min) / a.interval >= 2)(" + option + "." + axis + ")";
    }

    /** Axes of few or equal values, and what is said in a plot. */
    private static final List<Map.Entry<String, String>> PLOTS = List.of(
            Map.entry(labelled(forest("contrasts", SAME, ""), "xAxis"), "true"),
            Map.entry(forest("duel", SAME, ", threshold: 1.5") + ".xAxis.max >= 50", "true"),
            Map.entry(
                    "(a => a.max > a.min)(" + forest("contrasts", "{ label: 'a', est: 4 }, { label: 'b', est: 4 }", "")
                            + ".xAxis)",
                    "true"),
            Map.entry(forest("contrasts", SAME, "") + ".tooltip.formatter({ value: [0, 0] })", "<b>a</b><br>+0.0 %"),
            Map.entry(
                    labelled(
                            "Fettle.builders.probes({ probes: { figure: 'p99', unit: 'requests', millis: true, bound: 50, points: [{"
                                    + " n: 1, rate: 400, value: 5, errors: 0, verdict: 'met', what: '' }] } }, Fettle.colours(), 800).option",
                            "xAxis"),
                    "true"),
            Map.entry("(a => a.min < a.max)(Fettle.powers(4, 4))", "true"),
            // two settings with x = 1: the line goes through the better one
            Map.entry(
                    "(o => o.series[0].data.map(p => p.value[1]) + ' ' + o.series.map(s => s.type))(Fettle.builders.throughput({ knobs: [{"
                            + " name: 'k', categories: ['1', '2'], series: [{ name: '', points: [{ x: '1', est: 3 },"
                            + " { x: '1', est: 2 }, { x: '2', est: 5 }] }] }] }, Fettle.colours(), 800).option)",
                    "3,5 line,scatter,custom"),
            Map.entry(cell(0) + ".text", "–"),
            Map.entry(cell(0) + ".fill === Fettle.colours().quiet", "true"),
            Map.entry(cell(1) + ".text", "3.00 MiB"),
            Map.entry(cell(2) + ".text", "void"),
            Map.entry(cell(2) + ".fill === Fettle.colours().bad", "true"));

    private static String lastOf(String caption, String column) {
        return "(() => { const t = [...document.querySelectorAll('table[data-sortable]')].find(t => t.caption.textContent === '"
                + caption + "'); const c = [...t.tHead.rows[0].cells].findIndex(h => h.textContent === '" + column
                + "');"
                + " const sorted = () => { t.tHead.rows[0].cells[c].querySelector('button').click(); return"
                + " [...t.tBodies[0].rows].map(r => r.cells[c].textContent); }; const [up, down] = [sorted(), sorted()];"
                + " return up.at(-1) + ' ' + down.at(-1) + ' ' + (up[0] !== down[0]); })()";
    }

    /** A width of paper, and back. */
    private static final String PRINT =
            "(() => { const wide = () => document.querySelector('[data-chart=\"latency\"] svg')"
                    + ".getBoundingClientRect().width; const before = wide(); dispatchEvent(new Event('beforeprint')); const paper = wide();"
                    + " dispatchEvent(new Event('afterprint')); return paper > 300 && paper < 660 && before > 700 && wide() === before; })()";

    /** The values of the last line of a plot against a knob, of the page's own data. */
    private static String line(String builder) {
        return "Fettle.builders." + builder + "(Fettle.data, Fettle.colours(), 800).option.series"
                + ".filter(s => s.type === 'line').at(-1).data.map(p => p.value[1] === null ? 'none' : 'one').join(' ')";
    }

    private static final List<Map.Entry<String, String>> SWEEP = List.of(
            Map.entry(lastOf("Every cell", "throughput /s"), "void void true"),
            Map.entry(lastOf("Every cell", "trials"), "2 0 true"),
            // 5000 threads are void at 1000 connections
            Map.entry(line("throughput"), "one one none one one one"),
            Map.entry(line("percentiles"), "one one none one one one"),
            Map.entry(PRINT, "true"));

    private static final List<Map.Entry<String, String>> KNOBS = List.of(
            Map.entry(lastOf("Settings tried, best first", "throughput /s"), "– – true"),
            Map.entry(
                    "(s => { const label = () => document.querySelector('[data-chart=\"percentiles\"]').getAttribute('aria-label');"
                            + " const first = label(); s.value = 1; s.dispatchEvent(new Event('change')); return first + ', '"
                            + " + label(); })(document.querySelector('select[data-choose=\"knob\"]'))",
                    "Latency percentiles against threads.max, Latency percentiles against jvm.gc"));

    private static String pressed(String... keys) {
        return "(() => { const view = document.querySelector('[data-flame] .view'); for (const key of ['"
                + String.join("', '", keys)
                + "']) { view.dispatchEvent(new KeyboardEvent('keydown', { key })); }"
                + " return document.querySelector('[data-flame] .about').textContent.split(':')[0]; })()";
    }

    private static final List<Map.Entry<String, String>> FLAMES = List.of(
            Map.entry(pressed("Escape"), "all"),
            Map.entry(pressed("Escape", "ArrowDown", "Enter"), "com.example.Parser.parse"),
            Map.entry(pressed("Escape", "ArrowDown", "ArrowDown", "ArrowRight"), "com.example.Writer.write"),
            Map.entry(
                    pressed("Escape", "ArrowDown", "ArrowDown", "ArrowRight", "ArrowRight", "ArrowLeft"),
                    "com.example.Parser.parse"),
            Map.entry(pressed("Escape", "ArrowDown", "ArrowUp", "ArrowUp"), "all"));

    private interface Page {
        String of(HtmlReport reports);
    }

    private static Profile profile() {
        var stacks = new Profile.Builder();
        stacks.add(List.of("Thread.run", "com.example.Parser.parse"), 900);
        stacks.add(List.of("Thread.run", "com.example.Writer.write"), 500);
        return stacks.build(Profile.Kind.CPU, "a profiler 1.0: sampled", 10);
    }

    @TestFactory
    List<DynamicTest> numbersGapsAndAxes(@TempDir Path folder) throws Exception {
        var all = Stream.of(NUMBERS, GAPS, PLOTS).flatMap(List::stream).toList();
        return ask(folder, r -> r.render(Runs.aa()), all);
    }

    @TestFactory
    List<DynamicTest> thePageOfASweep(@TempDir Path folder) throws Exception {
        return ask(folder, r -> r.render(Runs.grid()), SWEEP);
    }

    @TestFactory
    List<DynamicTest> thePageOfATuneOfTwoKnobs(@TempDir Path folder) throws Exception {
        return ask(folder, r -> r.render(Runs.listed()), KNOBS);
    }

    @TestFactory
    List<DynamicTest> aFlameGraphByKeys(@TempDir Path folder) throws Exception {
        return ask(
                folder,
                r -> r.render(new WatchReport("process 7", List.of(), Timeline.NONE, List.of(profile()))),
                FLAMES);
    }

    /** A page with these expressions in it, each with its result once the page is drawn. */
    private static List<DynamicTest> ask(Path folder, Page page, List<Map.Entry<String, String>> asked)
            throws Exception {
        var script = new StringBuilder("'use strict';\naddEventListener('load', () => {\n"
                + "  const tell = (name, f) => { let told; try { told = String(f()); } catch (e) { told = 'failed: ' + e; }\n"
                + "    document.documentElement.setAttribute('data-' + name, encodeURIComponent(told)); };\n");
        for (int i = 0; i < asked.size(); i++) {
            script.append("  tell('a" + i + "', () => " + asked.get(i).getKey() + ");\n");
        }
        script.append("});\n");
        Path file = Files.writeString(folder.resolve("page.html"), page.of(new HtmlReport(List.of(script.toString()))));
        Chromium.Document seen = Chromium.in(folder).open(file, BUDGET);
        var tests = new ArrayList<DynamicTest>();
        for (int i = 0; i < asked.size(); i++) {
            String name = "data-a" + i;
            String expected = asked.get(i).getValue();
            tests.add(DynamicTest.dynamicTest(
                    asked.get(i).getKey(),
                    () -> assertThat(
                                    URLDecoder.decode(seen.attribute(name).replace("+", "%2B"), StandardCharsets.UTF_8))
                            .isEqualTo(expected)));
        }
        return tests;
    }
}
