package dev.fettle.bench.documents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DocumentsTest {
    private static final Path HOME = Path.of("..");

    @TempDir
    Path folder;

    private static JsonNode json(String text) throws Exception {
        return new ObjectMapper().readTree(text.replace('\'', '"'));
    }

    /** Pages are what the generator makes of the kept figures; bench/documents.sh write makes them so. */
    @Test
    void pagesHoldWhatWasMeasured() throws Exception {
        var made = new Documents(HOME).made();
        assertThat(made).hasSizeGreaterThan(6);
        for (var e : made.entrySet()) {
            assertThat(e.getKey())
                    .content()
                    .as(e.getKey() + ": run bench/documents.sh write")
                    .isEqualTo(e.getValue())
                    .doesNotContain("(not run yet)", "*Not run yet:*")
                    .doesNotContainPattern("<!-- made: [^\\n]+ -->\\n<!-- /made -->");
        }
        var pictures = new TreeSet<String>();
        try (var files = Files.list(HOME.resolve("docs/documents/images"))) {
            files.forEach(f -> pictures.add(f.getFileName().toString()));
        }
        assertThat(pictures)
                .allMatch(p ->
                        made.containsKey(HOME.resolve("docs/documents/images").resolve(p)));
    }

    @Test
    void eachPlanOfTheScriptIsOnAPageAndEachPlanIsInTheScript() throws Exception {
        var pages = new StringBuilder();
        try (var files = Files.newDirectoryStream(HOME.resolve("docs/documents"), "*.md")) {
            for (Path page : files) {
                pages.append(Files.readString(page));
            }
        }
        String script = Files.readString(HOME.resolve("bench/documents.sh"));
        List<String> plans = script.substring(script.indexOf("<<'PLANS'\n") + 10, script.indexOf("\nPLANS\n"))
                .lines()
                .toList();
        var listed = new TreeSet<String>();
        for (String plan : plans) {
            List<String> words = List.of(plan.split(" ", -1));
            assertThat(words.size()).as(plan).isBetween(3, 4);
            assertThat(words.subList(3, words.size())).as(plan).isSubsetOf("own-network");
            Path file = HOME.resolve(words.get(2));
            assertThat(file).exists();
            listed.add(file.getFileName().toString());
            String block = switch (words.get(1)) {
                case "judge", "audit", "check" -> words.get(1) + " " + file.getFileName();
                case "story" -> "story story";
                default -> "run " + words.getFirst();
            };
            assertThat(pages.toString()).contains("<!-- made: " + block + " -->");
        }
        try (var files = Files.newDirectoryStream(HOME.resolve("examples/documents"), "*.yaml")) {
            files.forEach(f -> assertThat(listed).contains(f.getFileName().toString()));
        }
    }

    /** bench/documents.sh story runs it and copies what it told. */
    @Test
    void theStoryOfThePagesIsTheLastOneTold() {
        assertThat(HOME.resolve("docs/documents/data/story.json"))
                .hasSameTextualContentAs(HOME.resolve("bench/faults/results/story.json"));
    }

    @Test
    void figuresComeFromTheData() throws Exception {
        Files.writeString(
                folder.resolve("pools.json"),
                json("{'command':'compare p.yaml','conclusion':{'kind':'compare','headline':'b wins','conditions':[{'point':{},"
                                + "'variants':[{'name':'a','trials':3,'throughputPerSecond':{'estimate':1000,'low':900,'high':1100},'p99Millis':12.34},"
                                + "{'name':'b','trials':0,'voids':4}],"
                                + "'contrasts':[{'a':'a','b':'b','pairs':3,'differenceShown':true,'ratio':{'estimate':1.5,'low':1.2,'high':1.8}}]}]}}")
                        .toString());
        var pages = new Pages(folder);
        assertThat(pages.filled("x <!--= pools throughput a -->old<!--/--> y <!--= pools p99 a --><!--/-->", ""))
                .isEqualTo(
                        "x <!--= pools throughput a -->1,000 [900, 1,100]<!--/--> y <!--= pools p99 a -->12.3 ms<!--/-->");
        assertThat(pages.filled("<!--= pools change a against b -->?<!--/-->", ""))
                .contains("+50.0 % [20.0, 80.0]");
        assertThat(pages.filled("<!--= pools throughput b -->?<!--/-->", "")).contains("no valid trial");
        assertThat(pages.filled("<!-- made: table pools -->\nold\n<!-- /made -->", ""))
                .contains("| a against b | +50.0 % [20.0, 80.0] | 3 | **shown** |")
                .doesNotContain("old");
        assertThat(pages.filled("<!-- made: run none -->\n<!-- /made -->", "")).contains("`bench/documents.sh none`");
        assertThat(pages.filled("<!-- made: plot pools throughput Two pools -->\n<!-- /made -->", "images/"))
                .contains("![Two pools](images/pools-throughput.svg)");
        assertThat(pages.pictures().get("pools-throughput.svg"))
                .contains("Two pools", "1,000", "no valid trial", "95 % intervals");
        assertThat(Pictures.plot(
                        json(
                                "{'conclusion':{'kind':'compare','conditions':[{'point':{},'variants':[{'name':'a','trials':2,"
                                        + "'throughputPerSecond':{'estimate':1,'low':0.5,'high':2}}]}]}}"),
                        "throughput",
                        "Two trials"))
                .contains("no intervals: fewer than three trials each");
        assertThatThrownBy(() -> pages.filled("<!--= pools throughput c -->?<!--/-->", ""))
                .hasMessageContaining("'c'");
    }

    @Test
    void aRunIsKeptWithoutItsTimelinesAndRefusedWithAFolderOfTheMachine() throws Exception {
        JsonNode run =
                json("{'started':'2026-01-02T03:04:05Z','tookSeconds':9,'environment':{'cpus':2,'limits':{'a':'b'}},"
                        + "'conclusion':{'headline':'h'},'trials':[{'variant':'v','valid':false,'voidReasons':[{'rule':'warm-up','message':'m'}],"
                        + "'measurement':{'elapsedSeconds':2,'throughputPerSecond':5,'latency':{'p99Millis':7}},"
                        + "'evidence':{'serverCpuSeconds':1.5,'timeline':{'series':[1,2]}}}]}");
        JsonNode kept = KeptRun.of(run, "sweep x.yaml");
        assertThat(kept.toString()).doesNotContain("timeline", "limits", "advisories");
        assertThat(kept.path("day").asText()).isEqualTo("2026-01-02");
        assertThat(kept.path("trials").get(0).path("serverCpu").asDouble()).isEqualTo(0.75);
        assertThat(Blocks.trials(kept)).contains("| 1 | v | 5.00 | 7.00 ms |", "void: warm-up");
        JsonNode bad = json("{'conclusion':{'headline':'see /home/ann/x'},'trials':[]}");
        assertThatThrownBy(() -> KeptRun.of(bad, "x")).hasMessageContaining("/home/ann");
    }

    /** Requests that failed are no failure of the target. */
    @Test
    void failedTrialsAreToldFromVoidOnes() throws Exception {
        JsonNode run = json("{'conclusion':{'headline':'h'},'trials':["
                + "{'variant':'v','valid':true,'measurement':{'failed':12}},"
                + "{'variant':'v','valid':false,'voidReasons':[{'rule':'warm-up','message':'m'}]},"
                + "{'variant':'v','valid':false,'failure':{'kind':'DIED','message':'gone'}}]}");
        assertThat(Blocks.run(KeptRun.of(run, "compare x.yaml")))
                .contains("3 trials, 1 of them void, 1 of them failed · ");
        assertThat(Blocks.run(KeptRun.of(
                        json("{'conclusion':{'headline':'h'},'trials':[{'valid':false,'failure':{'message':'gone'}}]}"),
                        "diagnose x.yaml")))
                .contains("1 trial, which failed · ");
        assertThat(Blocks.run(KeptRun.of(
                        json(
                                "{'conclusion':{'headline':'h'},'trials':[{'valid':false,'voidReasons':[{'rule':'warm-up'}]}]}"),
                        "diagnose x.yaml")))
                .contains("1 trial, which is void · ");
    }

    /** Of m contrasts each has an interval of level 1 - 0.05/m: a page that leaves it out claims 95 % of each. */
    @Test
    void aPageSaysOfWhichLevelItsIntervalsAre() throws Exception {
        String together =
                "All 5 contrasts are judged together: each interval has a level of 99 %, so that all hold at once at 95 %.";
        JsonNode run = json("{'conclusion':{'headline':'h','notes':['" + together + "']},'trials':[]}");
        assertThat(Blocks.run(KeptRun.of(run, "compare x.yaml"))).endsWith("> h\n>\n> - " + together + "\n");
    }

    /** The glossary explains the words of a verdict; others say nothing. */
    @Test
    void aVerdictIsAWordOfTheGlossary() throws Exception {
        var words = Pattern.compile("confirmed|refuted|not shown|not so here|cannot be tested here");
        String glossary = Files.readString(HOME.resolve("docs/glossary.md"))
                .replaceAll("\\s+", " ")
                .toLowerCase(Locale.ROOT);
        int seen = 0;
        try (var files = Files.newDirectoryStream(HOME.resolve("docs/documents"), "*.md")) {
            for (Path page : files) {
                String all = Files.readString(page);
                String claims = all.substring(all.indexOf("## Claims and verdicts"), all.indexOf("## What judge says"));
                for (String row :
                        claims.lines().filter(l -> l.startsWith("| ")).skip(1).toList()) {
                    var bold = Pattern.compile("\\*\\*([^*]+)\\*\\*").matcher(row.split(" \\| ", 3)[1]);
                    int found = 0;
                    for (; bold.find(); found++) {
                        assertThat(bold.group(1)).as(page + ": " + row).matches(words);
                        assertThat(glossary).contains("*" + bold.group(1) + "*");
                    }
                    assertThat(found).as(page + ": " + row).isPositive();
                    seen++;
                }
            }
        }
        assertThat(seen).isGreaterThan(40);
    }

    @Test
    void whatFettleSaysBesideTheHeadlineIsOnThePage() throws Exception {
        JsonNode run = json("{'conclusion':{'headline':'h','notes':['In 2 of 9 trials the warm-up reached its bound.',"
                + "'1 of 9 trials was void or failed; it was not used.',"
                + "'A difference is shown when the whole interval lies outside.','the target threw: out of threads'],"
                + "'bottleneck':{'title':'A limit is reached','sentence':'A limit is reached: the target threw: out of threads.',"
                + "'tested':'not_tested'}},"
                + "'trials':[{'variant':'v','valid':true,'advisories':[{'rule':'short','message':'m'}]}]}");
        JsonNode kept = KeptRun.of(run, "diagnose x.yaml");
        assertThat(Blocks.run(kept)).endsWith("> h\n>\n> - In 2 of 9 trials the warm-up reached its bound.\n");
        assertThat(Blocks.trials(kept)).contains("| valid (short) |");
        assertThat(Blocks.finding(kept))
                .isEqualTo("**A limit is reached** (not tested): the target threw: out of threads.\n");
    }

    @Test
    void aSpikeSaysHowLongItWasWatchedAndWhatWasWrongBefore() throws Exception {
        JsonNode kept = json(
                "{'conclusion':{'kind':'compare','spike':{'watchedSeconds':12.0},'conditions':[{'point':{},'variants':["
                        + "{'name':'long','trials':5,'spike':{'recovered':0,'trials':5,'sloBrokenBefore':0}},"
                        + "{'name':'some','trials':4,'spike':{'recovered':3,'trials':4,'recoverySeconds':8.04,'sloBrokenBefore':1}}],"
                        + "'contrasts':[{'a':'long','b':'some','pairs':4,'leastShownRatio':5.04,'ratio':{'estimate':1}}]}]}}");
        assertThat(Blocks.table(kept))
                .contains("| not within 12.0 s | 5 |")
                .contains("| 8.00 s in 3 of 4 | 4; in 1 the SLO was missed before the spike, too |");
        assertThat(Figures.least(kept.path("conclusion"))).contains("4 blocks", "a factor of 5.0");
    }

    @Test
    void aStoryClaimsNoMoreThanItsTrialsAndTests() throws Exception {
        JsonNode told = json("{'steps':[{'rule':'a','rate':100,'reasons':['warm-up'],'mended':'x','failure':null},"
                + "{'rule':'b','title':'B','sentence':'s','rate':200,'reasons':[],'tested':'confirmed','mended':'y','failure':null},"
                + "{'rule':'c','rate':300,'reasons':[],'mended':'','failure':null},"
                + "{'rule':'d','rate':0,'reasons':[],'mended':'','failure':'CRASHED'}]}");
        assertThat(Story.figure(told, "trials", ""))
                .isEqualTo(
                        "of 4 trials, the gate calls 2 valid; of their first findings, a test confirmed 1, refuted 0 and left 0 open, and 3 could not be tested");
        assertThat(Story.figure(told, "verdict", "a"))
                .isEqualTo("**not shown**: found here in a void trial (warm-up); not tested");
        assertThat(Story.figure(told, "verdict", "b")).isEqualTo("**confirmed** by its test");
        assertThat(Story.figure(told, "verdict", "c")).isEqualTo("**not shown**: found here, not tested");
        assertThat(Story.figure(told, "verdict", "d")).contains("void trial", "CRASHED");
        assertThat(Story.figure(told, "verdict", "none")).isEqualTo("**not shown**: not found here");
        assertThat(Story.figure(told, "mended", "a")).isEqualTo("100/s before it was fixed and 200/s after");
        assertThat(Story.figure(told, "mended", "c")).isEqualTo("300/s before and not fixed");
        assertThat(Blocks.story(told)).contains("| void: warm-up |", "| confirmed |", "| void: CRASHED |");
    }

    @Test
    void aSentenceSaysOfATuneWhatItsConclusionHas() throws Exception {
        JsonNode c = json(
                "{'kind':'tune','headline':'No improvement shown: x gives more, but the gain may be fading: by 13 %.',"
                        + "'result':'no_improvement_shown','winner':{'backlog':'449','threads.max':'296'},'pairs':[{},{},{}],"
                        + "'ratio':{'estimate':1.285,'low':1.243,'high':1.328},"
                        + "'sides':{'baselineThroughputPerSecond':4846,'winnerP99Millis':160.2,'baselineP99Millis':129.1},"
                        + "'candidates':[{'setting':{'threads.max':'296'},'trials':1,'throughputPerSecond':{'estimate':4198}}],"
                        + "'knobShares':[{'knob':'backlog','trialsWithout':1,'ratio':{'estimate':1.531,'low':1.401,'high':1.67}},"
                        + "{'knob':'threads.max','trialsWithout':0,'ratio':{'estimate':0.877}}]}");
        assertThat(Searches.figure(c, "gain", "")).isEqualTo("+28.5 % [24.3, 32.8]");
        assertThat(Searches.figure(c, "winner", "")).isEqualTo("backlog=449, threads.max=296");
        assertThat(Searches.figure(c, "outcome", ""))
                .isEqualTo("no improvement is shown in 3 pairs, for the gain may be fading");
        assertThat(Searches.figure(c, "p99", "winner")).isEqualTo("160 ms");
        assertThat(Searches.figure(c, "p99", "default")).isEqualTo("129 ms");
        assertThat(Searches.figure(c, "rate", "default")).isEqualTo("4,846");
        assertThat(Searches.figure(c, "share", "backlog"))
                .isEqualTo("times 1.53 [1.401, 1.67], measured without it in one trial");
        assertThat(Searches.figure(c, "share", "threads.max")).isEqualTo("times 0.877 by the model alone");
        assertThat(Searches.figure(c, "without", "backlog")).isEqualTo("4,198/s in one trial");
        assertThat(Searches.figure(c, "without", "threads.max")).isEqualTo("it was not tried");
    }

    @Test
    void aStoryTellsWhatFollowedFromAFinding() throws Exception {
        JsonNode told = json("{'steps':[{'rule':'a','symptoms':['the heap grows']},{'rule':'b','symptoms':[]}]}");
        assertThat(Story.figure(told, "symptom", "a")).isEqualTo("the heap grows");
        assertThat(Story.figure(told, "symptom", "b")).isEqualTo("nothing that followed from it was seen");
        assertThat(Story.figure(told, "symptom", "c")).isEqualTo("nothing that followed from it was seen");
    }

    @Test
    void aGridHasTheMachineBesideItsFiguresAndAMap() throws Exception {
        Files.writeString(
                folder.resolve("g.json"),
                json("{'conclusion':{'kind':'sweep','cells':["
                                + "{'point':{'load.connections':'100','threads.max':'200'},'trials':1,'voids':0,'throughputPerSecond':{'estimate':1972},"
                                + "'p50Millis':50.5,'p99Millis':56,'errorShare':0,'cpuUtilisationShare':0.35,'loadAverage':6,'littlesRatio':1},"
                                + "{'point':{'load.connections':'100','threads.max':'500'},'trials':0,'voids':2}]},"
                                + "'trials':[{'valid':true,'serverCpu':0.5,'serverCpus':1},{'valid':false,'serverCpu':2,'serverCpus':1,'loadAverage':2.74},"
                                + "{'valid':true,'serverCpu':1.8,'serverCpus':2}]}")
                        .toString());
        var pages = new Pages(folder);
        assertThat(pages.filled("<!-- made: grid g -->\n<!-- /made -->", ""))
                .contains(
                        "| load.connections=100, threads.max=200 | 1,972 | 0 % | 50.5 ms | 56.0 ms | 1.000 | 35 % | 6.00 | 1 | 0 |",
                        "| load.connections=100, threads.max=500 | – | – | – | – | – | – | – | 0 | 2 |");
        pages.filled("<!-- made: plot g map A map -->\n<!-- /made -->", "");
        assertThat(pages.pictures().get("g-map.svg"))
                .contains(">1,972<", ">no valid trial<", "threads.max 500", "load.connections 100");
        assertThat(pages.filled("<!--= g used load.connections=100, threads.max=200 --><!--/-->", ""))
                .contains(">35 %<");
        assertThat(pages.filled("<!--= g cpu --><!--/-->", "")).contains(">50 % to 90 %<");
        assertThat(pages.filled("<!--= g load-of-trial 2 --><!--/-->", "")).contains(">2.74<");
    }

    @Test
    void publishedFiguresAreThoseThatJudgeRead() throws Exception {
        assertThat(Judged.published(json(
                        "{'results':[{'figures':{'throughput':12227.55,'mean':0.158,'max':1.221,'connect_mean':0.077,'connect_max':1.07},"
                                + "'percentiles':{'p50.0':0.127,'p99.9':1.105}}]}")))
                .isEqualTo("12,228/s; mean 158 ms, 50 % 127 ms, 99.9 % 1.11 s, longest 1.22 s;"
                        + " connecting alone 77.0 ms on average, 1.07 s at most.\n");
    }

    @Test
    void threadsAreDrawnByGroup() throws Exception {
        JsonNode kept =
                json("{'trials':[{'variant':'jetty','point':{},'over':{'startMillis':-1000,'stepMillis':1000,'series':{"
                        + "'cpu.io':[0.25,0.5],'cpu.workers':[0.25,0.1]}}}]}");
        assertThat(Pictures.plot(kept, "groups", "Groups")).contains("selectors, I/O", ">jetty<", ">60<");
        assertThat(Bands.SERIES).contains("cpu.acceptor", "cpu.io", "cpu.workers");
    }

    @Test
    void panelsComeInTheOrderOfTheTable() throws Exception {
        JsonNode kept = json(
                "{'conclusion':{'cells':[{'point':{'x':'1'}},{'point':{'x':'2'}},{'point':{'x':'3'}}]},'trials':["
                        + "{'point':{'x':'3'},'over':{'startMillis':0,'stepMillis':1000,'series':{'wait.idle':[1,1]}}},"
                        + "{'point':{'x':'1'},'over':{'startMillis':0,'stepMillis':1000,'series':{'wait.idle':[1,1]}}}]}");
        assertThat(Pictures.plot(kept, "threads", "Threads"))
                .containsSubsequence(">x=1<", ">x=3<")
                .doesNotContain(">x=2<");
    }

    @Test
    void whatASpikeGaveHasItsInterval() throws Exception {
        JsonNode kept = json("{'conclusion':{'kind':'compare','conditions':[{'point':{},'variants':["
                + "{'name':'a','trials':3,'spike':{'goodputPerSecond':{'estimate':280,'low':180,'high':380},'recovered':3,'trials':3,"
                + "'recoverySeconds':{'estimate':10.8,'low':10.5,'high':11.1}}},"
                + "{'name':'b','trials':2,'spike':{'goodputPerSecond':{'estimate':60,'low':1,'high':99},'recovered':2,'trials':2,"
                + "'recoverySeconds':{'estimate':1,'low':0.5,'high':1.5}}}]}]}}");
        assertThat(Blocks.table(kept))
                .contains(
                        "| a | 280 [180, 380] | – | – | 10.8 s [10.5 s, 11.1 s] | 3 |",
                        "| b | 60.0 | – | – | 1.00 s | 2 |");
        assertThat(Pictures.plot(kept, "goodput", "Goodput")).contains("95 % intervals", "<path");
    }
}
