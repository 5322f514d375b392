package dev.fettle.report.html;

import static dev.fettle.report.Fixtures.HOLD;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.fettle.insight.CompareConclusion;
import dev.fettle.insight.DiagnoseConclusion;
import dev.fettle.insight.SweepConclusion;
import dev.fettle.insight.TuneConclusion;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.plan.Dimension;
import dev.fettle.model.text.Format;
import dev.fettle.model.trial.LatencySummary;
import dev.fettle.model.trial.Profile;
import dev.fettle.model.trial.Series;
import dev.fettle.model.trial.Sighting;
import dev.fettle.model.trial.Timeline;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialSpec.Phase;
import dev.fettle.model.trial.Verdict;
import dev.fettle.report.Environment;
import dev.fettle.report.Fixtures;
import dev.fettle.report.ObjectiveColumn;
import dev.fettle.report.RunReport;
import dev.fettle.report.WatchReport;
import dev.fettle.report.Wording;
import dev.fettle.report.text.Runs;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class HtmlReportTest {
    private static final Pattern SCRIPT = Pattern.compile("<script([^>]*)>(.*?)</script>", Pattern.DOTALL);
    private static final String CALM = String.join("\n", tags(new HtmlReport().render(poisoned("calm"))));

    static Stream<String> names() {
        return Runs.all().keySet().stream();
    }

    /** Names of peers and threads come from outside, as everything in a recording does. */
    @Test
    void aRecordingHasItsPlotsItsPeersAndWhatWasNotSeen() {
        String html = new HtmlReport()
                .render(new WatchReport(
                        "process 7",
                        List.of("12 seconds"),
                        Timeline.of(
                                -2000,
                                1000,
                                Map.of(
                                        "cpu.total", Series.of(0.5, 1, Double.NaN, 1.5),
                                        "fds.open", Series.of(100, 100, 100, 110),
                                        "fds.limit", Series.of(1_048_576, 1_048_576, 1_048_576, 1_048_576),
                                        "swap.used", Series.of(0, 0, 0, 0)),
                                Map.of("gc.share", "it is <no> JVM"),
                                List.of(new Sighting("peer.closeWait", "<b>10.0.0.5</b>:5432", 40)))));
        assertThat(html)
                .contains("CPUs used, by group of threads", "Threads and files", "&lt;b&gt;10.0.0.5&lt;/b&gt;:5432")
                .contains("it is &lt;no&gt; JVM", "Observed, and zero all the time: Memory of the process: swapped")
                .contains("\"values\":[0.5,1,null,1.5]")
                .doesNotContain("<b>10.0.0.5", "\"id\":\"fds.limit\"");
        // without the warm-up: of 1.5 and a point that was not observed
        assertThat(html).contains("1.5");
    }

    @ParameterizedTest
    @MethodSource("names")
    void isCompleteAndAsksForNothing(String name) throws Exception {
        String html = new HtmlReport().render(Runs.all().get(name));
        Files.writeString(Files.createDirectories(Path.of("build", "html")).resolve(name + ".html"), html);
        String markup = SCRIPT.matcher(html).replaceAll("");
        assertThat(found(markup, "(?i)\\s(src|href|action|srcset|background)\\s*="))
                .isEmpty();
        assertThat(found(markup, "(?i)url\\(|@import|<(link|img|iframe|object|embed|base|form)\\b"))
                .isEmpty();
        assertThat(missing(
                        html,
                        "default-src &#39;none&#39;",
                        "Where it ran",
                        "Example CPU",
                        "net.core.somaxconn",
                        "Every trial",
                        "Validity"))
                .isEmpty();
        assertThat(new HtmlReport().render(Runs.all().get(name)).equals(html))
                .as("same run, same bytes")
                .isTrue();
    }

    @Test
    void thePolicyAllowsExactlyTheScriptsOfThePage() throws Exception {
        String html = new HtmlReport().render(Runs.tune());
        String policy =
                find(html, "Content-Security-Policy\" content=\"([^\"]*)\"").replace("&#39;", "'");
        Matcher m = SCRIPT.matcher(html);
        int scripts = 0;
        while (m.find()) {
            if (!m.group(1).contains("application/json")) {
                assertThat(m.group(1)).isEmpty();
                byte[] digest =
                        MessageDigest.getInstance("SHA-256").digest(m.group(2).getBytes(StandardCharsets.UTF_8));
                assertThat(policy).contains("'sha256-" + Base64.getEncoder().encodeToString(digest) + "'");
                scripts++;
            }
        }
        assertThat(scripts).isEqualTo(9);
        assertThat(Pattern.compile("sha256-").matcher(policy).results().count()).isEqualTo(10);
    }

    /** A variant that can't be called better, as it failed or answers otherwise, does not stand at the top of the page. */
    @Test
    void whatCannotBeCalledBetterIsNotPutFirst() {
        RunReport run = Runs.compare();
        var found = (CompareConclusion) run.conclusion().orElseThrow();
        String best = "Highest estimate";
        assertThat(first(run, found.conditions())).contains(best, ">undertow<");
        List<CompareConclusion.Condition> busy =
                changed(found, v -> v, x -> x.a().equals("undertow") ? answersOtherwise(x) : x);
        assertThat(first(run, busy)).doesNotContain(best);
        List<CompareConclusion.Condition> died =
                changed(found, v -> v.name().equals("undertow") ? failed(v) : v, x -> x);
        assertThat(first(run, died)).contains(best, ">jetty<").doesNotContain(">undertow<");
    }

    /** The page's head. */
    private static String first(RunReport run, List<CompareConclusion.Condition> conditions) {
        var found = (CompareConclusion) run.conclusion().orElseThrow();
        var other = new CompareConclusion(
                found.headline(), found.metric(), conditions, found.notes(), found.spike(), List.of());
        String html = new HtmlReport().render(Fixtures.run(run.kind(), run.plan(), run.outcomes(), Optional.of(other)));
        return html.substring(html.indexOf("<header"), html.indexOf("<main"));
    }

    private static List<CompareConclusion.Condition> changed(
            CompareConclusion found,
            UnaryOperator<CompareConclusion.VariantResult> variant,
            UnaryOperator<CompareConclusion.Contrast> contrast) {
        return found.conditions().stream()
                .map(c -> new CompareConclusion.Condition(
                        c.point(),
                        c.variants().stream().map(variant).toList(),
                        c.contrasts().stream().map(contrast).toList(),
                        c.layers()))
                .toList();
    }

    private static CompareConclusion.Contrast answersOtherwise(CompareConclusion.Contrast x) {
        return new CompareConclusion.Contrast(
                x.a(),
                x.b(),
                x.pairs(),
                x.ratio(),
                false,
                x.leastShown(),
                Optional.of("it says busy"),
                x.recovery(),
                x.each(),
                x.withheld());
    }

    private static CompareConclusion.VariantResult failed(CompareConclusion.VariantResult v) {
        return new CompareConclusion.VariantResult(
                v.name(),
                v.trials(),
                v.voids(),
                v.throughput(),
                v.p50(),
                v.p99(),
                v.errorShare(),
                v.cpuMicrosPerRequest(),
                v.problems(),
                v.broken(),
                v.spike(),
                v.figure(),
                Optional.of("crashed in 1 of 4 blocks"));
    }

    @Test
    void aTuneHasItsSections() {
        String html = new HtmlReport().render(Runs.tune());
        assertThat(missing(
                        html,
                        "Improvement shown",
                        "<span class=\"value good\">+38.2\u00a0%</span>",
                        "data-chart=\"duel\"",
                        "data-chart=\"throughput\"",
                        "data-chart=\"percentiles\"",
                        "data-chart=\"latency\"",
                        "data-chart=\"time\"",
                        "maxThreads=&quot;318&quot;",
                        "Why the default was slower",
                        "It would be refuted by",
                        "Everything that was set took effect",
                        "steal was 7.2"))
                .isEmpty();
        assertThat(missing(html, "role=\"img\" aria-label=", "data-sortable")).isEmpty();
    }

    @Test
    void aSweepHasAHeatMapFromTwoDimensionsOn() {
        assertThat(missing(new HtmlReport().render(Runs.sweep1()), "data-chart=\"throughput\""))
                .isEmpty();
        assertThat(present(new HtmlReport().render(Runs.sweep1()), "data-chart=\"heat\""))
                .isEmpty();
        assertThat(missing(
                        new HtmlReport().render(Runs.grid()), "data-chart=\"heat\"", "unable to create native thread"))
                .isEmpty();
        String cube = new HtmlReport().render(Runs.cube());
        assertThat(missing(cube, "data-choose=\"slice\"")).isEmpty();
        // any two dimensions, at each value of the third
        List<Dimension> grid = ((SweepConclusion) Runs.cube().conclusion().orElseThrow()).grid();
        for (Dimension rest : grid) {
            String two = grid.stream()
                    .filter(d -> d != rest)
                    .map(d -> Wording.dimension(d.name()))
                    .collect(Collectors.joining(" × "));
            for (String value : rest.values()) {
                assertThat(cube).contains(">" + two + " at " + Wording.point(Map.of(rest.name(), value)) + "</option>");
            }
        }
    }

    /** The fastest cell breaks a limit: the best of the others is marked. */
    @Test
    void aCellThatBreaksALimitIsNotTheBest() {
        RunReport run = Runs.sweep1();
        var s = (SweepConclusion) run.conclusion().orElseThrow();
        var judged = ObjectiveColumn.of(run);
        double fastest = judged.best(s);
        String limit = "400/s answered of 500/s offered";
        var cells = s.cells().stream()
                .map(c -> judged.of(c) == fastest ? Runs.cell(c, c.figure(), List.of(limit)) : c)
                .toList();
        var limited = new SweepConclusion(s.headline(), s.grid(), cells, s.scaling(), s.notes(), List.of());
        double best = judged.best(limited);
        assertThat(best).isLessThan(fastest);
        assertThat(cells).noneMatch(c -> judged.top(c, fastest)).anyMatch(c -> judged.top(c, best));
        String html = new HtmlReport().render(Fixtures.run("sweep", run.plan(), run.outcomes(), Optional.of(limited)));
        assertThat(find(html, "<tr class=\"won\">(.*?)</tr>"))
                .contains(Format.number(best))
                .doesNotContain(Format.number(fastest));
        assertThat(missing(html, limit, "why void, or not within the limits")).isEmpty();
    }

    @Test
    void aComparisonShowsContrasts() {
        assertThat(missing(
                        new HtmlReport().render(Runs.compare()),
                        "data-chart=\"contrasts\"",
                        "undertow over tomcat",
                        "no difference shown"))
                .isEmpty();
    }

    @Test
    void hooksAreListedWithWhatBecameOfThem() {
        String html = new HtmlReport().render(Runs.hooked());
        String section = find(html, "(<section id=\"hooks\".*?</section>)");
        List<String> rows = Pattern.compile("<tr[ >].*?</tr>", Pattern.DOTALL)
                .matcher(section)
                .results()
                .map(r -> r.group().replaceAll("<[^>]*>", "|").replaceAll("[|]+", "|"))
                .skip(1)
                .toList();
        assertThat(rows)
                .containsExactly(
                        "|before|redis-server --port {port:redis} --save |the run|1|212\u00a0ms|212\u00a0ms|stayed up, and was ended with the"
                                + " run|",
                        "|before|sh -c psql shop &lt; before.sql|each trial|6|1.47\u00a0s|1.52\u00a0s|exited with 0|",
                        "|after|sh -c rm -r {dir}/uploads|each trial|6|9.00\u00a0ms|9.00\u00a0ms|failed in 1 of 6: the hook after[1] (sh)"
                                + " exited with code 1: rm: no such folder|",
                        "|after|notify finished|the run|0|–|–|runs at the end of the run, when this report is written"
                                + " already|");
        assertThat(present(new HtmlReport().render(Runs.tune()), "id=\"hooks\""))
                .isEmpty();
    }

    @Test
    void withoutAConclusionNothingIsClaimed() {
        assertThat(missing(new HtmlReport().render(Runs.partial()), "Not finished"))
                .isEmpty();
        assertThat(present(new HtmlReport().render(Runs.partial()), "ready to paste", "Improvement shown"))
                .isEmpty();
        assertThat(missing(new HtmlReport().render(Runs.allFailed()), "No valid baseline", "answered 404"))
                .isEmpty();
        String empty = new HtmlReport().render(Runs.empty());
        assertThat(missing(empty, "No trial has ended yet", "None has ended yet."))
                .isEmpty();
        assertThat(present(empty, "All 0 passed")).isEmpty();
    }

    /** The page of one trial with these values set and read back, besides a backlog. */
    private static String readBack(Setting set, Map<String, String> effective) {
        var o = new TrialOutcome(
                1,
                Fixtures.spec(Phase.BASELINE, "baseline", Map.of(), 0, set),
                Fixtures.START,
                Duration.ZERO,
                Duration.ZERO,
                Optional.of(Fixtures.measurement(100, 10, 0.1, 1)),
                Optional.of(Fixtures.evidence(HOLD, effective)),
                Optional.empty(),
                Verdict.VALID,
                List.of());
        return new HtmlReport().render(Fixtures.run("tune", Runs.tune().plan(), List.of(o), Optional.empty()));
    }

    @Test
    void whatWasNotReadBackIsNotSaidToHaveTakenEffect() {
        String unread = readBack(Setting.of("compression", "true"), Map.of());
        assertThat(missing(
                        unread,
                        "true (not read back)",
                        "What was read back took effect; 1 knob was not read back.",
                        "One passed."))
                .isEmpty();
        assertThat(present(unread, "Everything that was set took effect")).isEmpty();
        String same = readBack(Setting.of("jvm.heap", "512m"), Map.of("jvm.heap", "536870912"));
        assertThat(missing(same, "Everything that was set took effect.")).isEmpty();
        assertThat(present(same, "effective 536870912")).isEmpty();
    }

    /** The table has at most four columns; what is said is said of all trials. */
    @Test
    void aKnobThatOnlyATrialOutsideTheTableDidNotReadBackCountsToo() {
        var outcomes = new ArrayList<TrialOutcome>();
        for (int i = 1; i <= 8; i++) {
            Setting set = Setting.of("threads.max", Integer.toString(10 * i));
            Setting with = i == 4 ? set.with("compression", "true") : set;
            var spec = Fixtures.spec(Phase.SEARCH, "s" + i, Map.of(), 0, with);
            outcomes.add(Fixtures.valid(i, spec, Fixtures.measurement(100, 10, 0.1, 1), Map.of())
                    .withEvidence(Optional.of(Fixtures.evidence(HOLD.with(set), Map.of()))));
        }
        String page = new HtmlReport().render(Fixtures.run("tune", Runs.tune().plan(), outcomes, Optional.empty()));
        assertThat(present(page, "true (not read back)", "Everything that was set took effect"))
                .isEmpty();
        assertThat(missing(page, "What was read back took effect; 1 knob was not read back."))
                .isEmpty();
    }

    /** A latency that nobody measured is not one of zero. */
    @Test
    void aTrialWithoutAnAnswerHasNoLatency() {
        var spec = Fixtures.spec(Phase.BASELINE, "baseline", Map.of(), 0, Setting.DEFAULT);
        var silent = Fixtures.measurement(100, 10, 0.1, 1)
                .with()
                .responses(0)
                .latency(LatencySummary.NONE)
                .build();
        var o = Fixtures.voided(1, spec, silent, "nothing-measured", "0 valid responses");
        String page = new HtmlReport().render(Fixtures.run("tune", Runs.tune().plan(), List.of(o), Optional.empty()));
        assertThat(page)
                .as("columns of figures that nobody has")
                .doesNotContain(">p50</th>", ">p99</th>", ">max</th>")
                .contains(">verdict</th>");
        assertThat(missing(page, "throughput /s")).isEmpty();
        String diagnosed = new HtmlReport()
                .render(Fixtures.run("diagnose", Runs.tune().plan(), List.of(o), Optional.of(nothingFound())));
        assertThat(missing(diagnosed, "p99 –")).isEmpty();
        assertThat(present(diagnosed, "p99 0")).isEmpty();
    }

    private static DiagnoseConclusion nothingFound() {
        var one = List.of(new DiagnoseConclusion.Looked("rule", "a full pool", "3 of 200 threads are busy"));
        return new DiagnoseConclusion(
                DiagnoseConclusion.Result.NOTHING_FOUND,
                "Nothing found.",
                Optional.empty(),
                List.of(),
                one,
                List.of(),
                List.of(),
                Optional.empty(),
                List.of(),
                List.of());
    }

    @Test
    void oneThingIsNotOneThings() {
        RunReport run = Fixtures.run("diagnose", Runs.tune().plan(), List.of(), Optional.of(nothingFound()));
        assertThat(find(new HtmlReport().render(run), "<summary>([^<]*thing[^<]*)</summary>"))
                .isEqualTo("1 thing");
    }

    /** Where the CPU time went stands with a diagnosis, and after the trials of anything else. */
    @Test
    void theFlameGraphsOfADiagnosisComeBeforeItsTrials() {
        var stacks = new Profile.Builder();
        stacks.add(List.of("Thread.run", "com.example.Parser.parse"), 900);
        Profile cpu = stacks.build(Profile.Kind.CPU, "a profiler 1.0: sampled", 10);
        List<TrialOutcome> profiled = Runs.tune().outcomes().stream()
                .map(o -> o.withEvidence(o.evidence().map(e -> e.withProfiles(List.of(cpu)))))
                .toList();
        String diagnosis = new HtmlReport()
                .render(Fixtures.run("diagnose", Runs.tune().plan(), profiled, Optional.of(nothingFound())));
        String tune = new HtmlReport()
                .render(Fixtures.run(
                        "tune", Runs.tune().plan(), profiled, Runs.tune().conclusion()));
        String flames = ">Where it went<";
        String trials = ">Every trial<";
        assertThat(diagnosis).containsOnlyOnce(flames);
        assertThat(diagnosis.indexOf(flames)).isLessThan(diagnosis.indexOf(trials));
        assertThat(tune.indexOf(trials)).isPositive().isLessThan(tune.indexOf(flames));
    }

    @Test
    void aValueThatDidNotTakeEffectIsMarked() {
        var spec = Fixtures.spec(Phase.BASELINE, "", Map.of(), 0, Setting.DEFAULT);
        var evidence = Fixtures.evidence(Setting.of("backlog", "50"), Map.of());
        var o = new TrialOutcome(
                1,
                spec,
                Fixtures.START,
                Duration.ZERO,
                Duration.ZERO,
                Optional.empty(),
                Optional.of(evidence),
                Optional.of(new TrialOutcome.Failure(TrialOutcome.Kind.NOT_EFFECTIVE, "backlog is 50")),
                Verdict.VALID,
                List.of());
        String html = new HtmlReport().render(Fixtures.run("tune", Runs.tune().plan(), List.of(o), Optional.empty()));
        assertThat(missing(html, "<td class=\"differs\">set 1024, effective 50</td>"))
                .isEmpty();
    }

    @Provide
    Arbitrary<String> hostile() {
        return Arbitraries.oneOf(
                        Arbitraries.of(
                                "</script><script>alert(1)</script>",
                                "<!--<script>",
                                "]]>",
                                "\"><img src=x onerror=alert(1)>",
                                "' onmouseover='alert(1)",
                                "</style><style>*{}",
                                "\u2028\u2029",
                                "{{x}}",
                                "</title><svg onload=alert(1)>",
                                "\u0000"),
                        Arbitraries.strings().ofMaxLength(30)) // longer ones make a wide cell
                // an empty value has another meaning, and other cells: not what is asked here
                .map(s -> "x" + s);
    }

    @Property(tries = 40)
    void nothingThatIsTextBecomesMarkup(@ForAll("hostile") String text) throws Exception {
        String html = new HtmlReport().render(poisoned(text));
        assertThat(String.join("\n", tags(html))).isEqualTo(CALM);
        String data = find(html, "id=\"data\">(.*?)</script>");
        assertThat(data).doesNotContain("<", ">", "&", "\u2028", "\u2029");
        assertThat(new ObjectMapper()
                        .readTree(data)
                        .path("time")
                        .get(0)
                        .path("name")
                        .asText())
                .isEqualTo("#1 threads.max=" + text);
    }

    /** The page's elements with their attributes' names, in order. */
    private static List<String> tags(String html) {
        return Pattern.compile("<(/?[a-zA-Z!][a-zA-Z0-9-]*)((?:\\s+[a-zA-Z-]+=\"[^\"]*\")*)\\s*>")
                .matcher(SCRIPT.matcher(html).replaceAll("<script></script>"))
                .results()
                .map(r -> r.group(1) + r.group(2).replaceAll("=\"[^\"]*\"", ""))
                .toList();
    }

    private static RunReport poisoned(String text) {
        var setting = Setting.of("threads.max", text);
        var ok = Fixtures.valid(
                1,
                Fixtures.spec(Phase.SEARCH, text, Map.of("load.path", text), 0, setting),
                Fixtures.measurement(100, 10, 0.1, 1),
                Map.of());
        var bad = Fixtures.failed(
                2, Fixtures.spec(Phase.SEARCH, text, Map.of(), 0, setting), TrialOutcome.Kind.DIED, text + "!");
        var tune = (TuneConclusion) Runs.tune().conclusion().orElseThrow();
        var conclusion = new TuneConclusion(
                TuneConclusion.Result.IMPROVED,
                text + "!",
                HOLD,
                HOLD.with(setting),
                tune.ratio(),
                tune.p99Ratio(),
                tune.threshold(),
                tune.pairs(),
                List.of(),
                tune.baselineWhy(),
                tune.winnerWhy(),
                List.of(text),
                List.of(),
                Optional.empty(),
                List.of(),
                Optional.empty(),
                List.of(),
                List.of());
        var plan = Fixtures.plan(text, Fixtures.TOMCAT, List.of());
        return new RunReport(
                text,
                "tune",
                plan,
                Fixtures.START,
                Duration.ofSeconds(1),
                new Environment(text + "!", text + "!", 1, "", "", "", "", "", Map.of(), Map.of()),
                List.of(ok, bad),
                Optional.of(conclusion),
                true);
    }

    /** Of the parts, those that the page does not hold; a page is too long for an assertion's message. */
    private static List<String> missing(String html, String... parts) {
        return Stream.of(parts).filter(p -> !html.contains(p)).toList();
    }

    private static List<String> present(String html, String... parts) {
        return Stream.of(parts).filter(html::contains).toList();
    }

    private static List<String> found(String html, String regex) {
        return Pattern.compile(regex)
                .matcher(html)
                .results()
                .map(r -> r.group())
                .toList();
    }

    private static String find(String text, String regex) {
        Matcher m = Pattern.compile(regex, Pattern.DOTALL).matcher(text);
        assertThat(m.find()).as(regex).isTrue();
        return m.group(1);
    }
}
