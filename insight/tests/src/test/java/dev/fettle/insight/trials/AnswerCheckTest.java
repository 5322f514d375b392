package dev.fettle.insight.trials;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.Runs;
import dev.fettle.insight.Simulated;
import dev.fettle.insight.TuneConclusion;
import dev.fettle.insight.capacity.Tamper;
import dev.fettle.insight.tune.TuneExperiment;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.trial.Answers;
import dev.fettle.model.trial.LatencySummary;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialSpec;
import dev.fettle.model.trial.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Simulated pages, many times over: what varies by itself is no difference, and what is one is found. */
class AnswerCheckTest {
    private static final int RUNS = 200;

    private static final int ANSWERS = 2_000;
    private static final int SAMPLED = 190;

    /** An answer: status, length, and a number that stands for the body. */
    private record Answer(int status, long length, int body) {}

    /** What a page does by itself. */
    private enum Page {
        STATIC {
            @Override
            Answer answer(Random jvm, int start, Random r) {
                return new Answer(200, 2048, 1);
            }
        },
        TIMESTAMP {
            @Override
            Answer answer(Random jvm, int start, Random r) {
                return new Answer(200, 2048, r.nextInt());
            }
        },
        /** The process's number is in the page: in each JVM another one, of two to six digits. */
        PER_JVM {
            @Override
            Answer answer(Random jvm, int start, Random r) {
                return new Answer(200, 1000 + start % 5, start);
            }
        },
        /** The worker thread's name is. */
        THREAD_NAME {
            @Override
            Answer answer(Random jvm, int start, Random r) {
                int thread = r.nextInt(200);
                return new Answer(200, 200 + Integer.toString(thread).length(), thread);
            }
        },
        RANDOM_LENGTH {
            @Override
            Answer answer(Random jvm, int start, Random r) {
                return new Answer(200, 500 + r.nextInt(20_000), r.nextInt());
            }
        },
        /** A few very long ones. */
        LOG_NORMAL_LENGTH {
            @Override
            Answer answer(Random jvm, int start, Random r) {
                return new Answer(200, (long) (5_000 * Math.exp(r.nextGaussian())), r.nextInt());
            }
        },
        ONE_PERCENT_OTHER {
            @Override
            Answer answer(Random jvm, int start, Random r) {
                return r.nextDouble() < 0.01 ? new Answer(200, 31, 7) : new Answer(200, 2048, 1);
            }
        },
        /** With a date in them. */
        ONE_PERCENT_OTHER_WITH_DATE {
            @Override
            Answer answer(Random jvm, int start, Random r) {
                return r.nextDouble() < 0.01
                        ? new Answer(200, 80 + r.nextInt(3), r.nextInt())
                        : new Answer(200, 2048, 1);
            }
        },
        /** Between 0.5 and 1.5 %, in each trial another share. */
        ABOUT_ONE_PERCENT_OTHER {
            @Override
            Answer answer(Random jvm, int start, Random r) {
                double share = 0.005 + 0.01 * (start % 100) / 100;
                return r.nextDouble() < share ? new Answer(500, 31, 7) : new Answer(200, 2048, 1);
            }
        },
        /** Five pages by chance. */
        FIVE {
            @Override
            Answer answer(Random jvm, int start, Random r) {
                int page = r.nextInt(5);
                return new Answer(200, 1000 << page, page);
            }
        };

        abstract Answer answer(Random jvm, int start, Random r);
    }

    /** What the candidate does otherwise. */
    private enum Otherwise {
        BUSY("31 B instead of 2,048 B") {
            @Override
            Answer of(Answer a) {
                return new Answer(200, 31, 99);
            }
        },
        STALE("another body of 2,048 B") {
            @Override
            Answer of(Answer a) {
                return new Answer(200, a.length, 98);
            }
        },
        CUT("1,000 B instead of 2,048 B") {
            @Override
            Answer of(Answer a) {
                return new Answer(200, 1000, 97);
            }
        },
        EMPTY("status 204 with 0 B instead of status 200 with 2,048 B") {
            @Override
            Answer of(Answer a) {
                return new Answer(204, 0, 0);
            }
        };

        private final String words;

        Otherwise(String words) {
            this.words = words;
        }

        abstract Answer of(Answer a);
    }

    private static TrialOutcome trial(Page page, double share, Otherwise how, Random r) {
        int start = 10 + r.nextInt(100_000);
        var shapes = new TreeMap<Long, Answers.Shape>();
        var rough = new TreeMap<Integer, Answers.Shape>();
        var contents = new TreeMap<String, Answers.Content>();
        long others = 0;
        for (int i = 0; i < ANSWERS; i++) {
            Answer a = page.answer(r, start, r);
            a = r.nextDouble() < share ? how.of(a) : a;
            long key = a.status * 1_000_000_000L + a.length;
            Answers.Shape seen = shapes.get(key);
            if (seen != null || shapes.size() < 64) {
                shapes.put(key, new Answers.Shape(a.status, a.length, a.length, seen == null ? 1 : seen.count() + 1));
            } else {
                int octave = 63 - Long.numberOfLeadingZeros(a.length);
                Answers.Shape s = rough.get(octave);
                rough.put(
                        octave, new Answers.Shape(0, 1L << octave, (2L << octave) - 1, s == null ? 1 : s.count() + 1));
            }
            if (i % (ANSWERS / SAMPLED) == 0) {
                String id = a.status + " " + a.length + " " + a.body;
                Answers.Content c = contents.get(id);
                if (c != null || contents.size() < 64) {
                    contents.put(
                            id,
                            new Answers.Content(
                                    a.status,
                                    a.length,
                                    HexFormat.of().toHexDigits(a.body),
                                    c == null ? 1 : c.count() + 1,
                                    false));
                } else {
                    others++;
                }
            }
        }
        var all = new ArrayList<>(shapes.values());
        all.addAll(rough.values());
        all.sort(Comparator.comparingLong(Answers.Shape::count).reversed());
        return trial(new Answers("", all, List.copyOf(contents.values()), others, List.of()));
    }

    private static TrialOutcome trial(Answers answers) {
        var detail = Measurement.Detail.NONE.withAnswers(List.of(answers));
        var m = new Measurement(
                Duration.ofSeconds(4),
                answers.shapes().stream().mapToLong(Answers.Shape::count).sum(),
                Map.of(),
                Map.of(),
                Map.of(),
                0,
                0,
                LatencySummary.NONE,
                LatencySummary.NONE,
                0,
                1,
                List.of(),
                "",
                detail);
        return new TrialOutcome(
                1,
                new TrialSpec(
                        TrialSpec.Phase.SEARCH,
                        "",
                        Map.of(),
                        0,
                        Simulated.target(),
                        Setting.DEFAULT,
                        Simulated.load(9)),
                Instant.EPOCH,
                Duration.ZERO,
                Duration.ZERO,
                Optional.of(m),
                Optional.empty(),
                Optional.empty(),
                Verdict.VALID,
                List.of());
    }

    private static List<TrialOutcome> trials(int n, Page page, double share, Otherwise how, Random r) {
        var all = new ArrayList<TrialOutcome>();
        for (int i = 0; i < n; i++) {
            all.add(trial(page, share, how, r));
        }
        return all;
    }

    /** Both sides are the same: one trial each, as in a search, up to six, as in a duel. */
    @ParameterizedTest
    @EnumSource(Page.class)
    void whatVariesByItselfIsNoDifference(Page page) {
        for (int[] n : new int[][] {{1, 1}, {2, 1}, {6, 5}}) {
            var runs = new Runs(RUNS);
            var alarms = runs.atMost("false alarms", RUNS / 200);
            for (int i : runs) {
                var r = new Random(i * 7919L + n[0]);
                var found = AnswerCheck.of(
                        trials(n[0], page, 0, Otherwise.BUSY, r), trials(n[1], page, 0, Otherwise.BUSY, r));
                alarms.count(found.isPresent());
            }
            System.out.printf("%s, %d against %d trials: false alarms in %s%n", page, n[0], n[1], alarms);
            runs.check();
        }
    }

    /** Two trials of the reference and one of the candidate; shares of other answers that would give a gain worth naming. */
    @ParameterizedTest
    @CsvSource({
        "STATIC, BUSY, 0.03",
        "STATIC, STALE, 0.2",
        "STATIC, CUT, 0.03",
        "STATIC, EMPTY, 0.03",
        "TIMESTAMP, BUSY, 0.03",
        "TIMESTAMP, CUT, 0.03",
        "ONE_PERCENT_OTHER, BUSY, 0.08",
        "ONE_PERCENT_OTHER_WITH_DATE, STALE, 0.2",
        "ABOUT_ONE_PERCENT_OTHER, CUT, 0.03",
        "STATIC, STALE, 1",
        "TIMESTAMP, BUSY, 0.97"
    })
    void otherAnswersAreFound(Page page, Otherwise how, double share) {
        var runs = new Runs(RUNS);
        var found = runs.atLeast("found", RUNS * 95 / 100);
        for (int i : runs) {
            var r = new Random(i * 104_729L + 3);
            var d = AnswerCheck.of(trials(2, page, 0, how, r), trials(1, page, share, how, r));
            found.count(d.isPresent());
            d.ifPresent(x -> assertThat(x.text()).contains(how.words));
        }
        System.out.printf("%s, %s in %.0f %%: found in %s%n", page, how, 100 * share, found);
        runs.check();
    }

    @ParameterizedTest
    @EnumSource(Otherwise.class)
    void oneTrialIsEnoughForLengths(Otherwise how) {
        var r = new Random(5);
        var d = AnswerCheck.of(trials(1, Page.STATIC, 0, how, r), trials(1, Page.STATIC, 0.5, how, r));
        assertThat(d.isPresent()).isEqualTo(how != Otherwise.STALE);
        d.ifPresent(x -> assertThat(x.text()).contains("% of its answers to GET / were " + how.words));
    }

    /** What comes as gzip, a fifth as long, and unpacks to the page. */
    private static TrialOutcome zipped(TrialOutcome plain) {
        Answers a = plain.measurement().orElseThrow().detail().answers().getFirst();
        return trial(new Answers(
                a.step(),
                a.shapes().stream()
                        .map(s -> new Answers.Shape(s.status(), s.shortest() / 5, s.longest() / 5, s.count()))
                        .toList(),
                a.contents().stream()
                        .map(c -> new Answers.Content(c.status(), c.length(), c.hash(), c.count(), true))
                        .toList(),
                a.otherContents(),
                a.wrong()));
    }

    /** Compression is no difference, whichever side has it, and hides none. */
    @ParameterizedTest
    @EnumSource(Page.class)
    void whatUnpacksToThePageIsThePage(Page page) {
        var runs = new Runs(RUNS);
        var alarms = runs.atMost("alarms", RUNS / 100);
        var found = runs.atLeast("found", RUNS * 95 / 100);
        for (int i : runs) {
            var r = new Random(i * 7919L + 1);
            List<TrialOutcome> plain = trials(2, page, 0, Otherwise.BUSY, r);
            List<TrialOutcome> same = trials(2, page, 0, Otherwise.BUSY, r).stream()
                    .map(AnswerCheckTest::zipped)
                    .toList();
            List<TrialOutcome> busy = trials(2, page, 0.9, Otherwise.BUSY, r).stream()
                    .map(AnswerCheckTest::zipped)
                    .toList();
            alarms.count(AnswerCheck.between("plain", plain, "gzip", same).isPresent());
            found.count(AnswerCheck.of(plain, busy).isPresent());
        }
        runs.check();
    }

    private static final Simulated SERVER = Simulated.server(25, 0.050, 0.000227, 1, 300);

    private static TrialOutcome page(TrialOutcome o, double busy) {
        long n = o.measurement().orElseThrow().responses();
        long other = Math.round(busy * n);
        var shapes = new ArrayList<Answers.Shape>();
        shapes.add(new Answers.Shape(200, 2048, 2048, n - other));
        if (other > 0) {
            shapes.add(new Answers.Shape(200, 31, 31, other));
        }
        return Tamper.answers(
                o, new Answers("", shapes, List.of(new Answers.Content(200, 2048, "1", 100, false)), 0, List.of()));
    }

    /** With more than 64 threads most answers are "busy", and come ten times as quickly. */
    @Test
    void aTuneIsNotWonByOtherAnswers() {
        TuneConclusion c = SERVER.drive(new TuneExperiment(SERVER.plan(4, 1024)), o -> {
                    boolean busy = SERVER.threadsOf(o.spec().setting()) > 64;
                    return page(busy ? Tamper.faster(o, 10) : o, busy ? 0.9 : 0);
                })
                .tune();
        assertThat(SERVER.threadsOf(c.winner())).isLessThanOrEqualTo(64);
        assertThat(c.candidates())
                .filteredOn(k -> SERVER.threadsOf(k.setting()) > 64)
                .isNotEmpty()
                .allMatch(k -> !k.meetsLimits())
                .allMatch(k -> k.otherAnswers()
                        .equals(Optional.of("90 % of its answers to GET / were 31 B instead of 2,048 B")));
        assertThat(c.candidates())
                .filteredOn(k -> SERVER.threadsOf(k.setting()) <= 64)
                .allMatch(k -> k.otherAnswers().isEmpty());
    }

    /** It may answer so only now and then: in the duel, say. */
    @Test
    void norIsADuel() {
        TuneConclusion c = SERVER.drive(new TuneExperiment(SERVER.plan(4, 1024)), o -> {
                    boolean busy = o.spec().phase() == TrialSpec.Phase.DUEL
                            && o.spec().variant().equals("candidate");
                    return page(o, busy ? 0.1 : 0);
                })
                .tune();
        assertThat(c.ratio().orElseThrow().low()).isGreaterThan(8);
        assertThat(c.result()).isEqualTo(TuneConclusion.Result.NO_IMPROVEMENT_SHOWN);
        assertThat(c.headline())
                .contains(
                        "gives other answers than the default, so their speeds can't be compared: in the duel 10 % of its"
                                + " answers to GET / were 31 B instead of 2,048 B.");
    }

    /** A measurement may have no answers: nothing is concluded from that. */
    @Test
    void withoutAnswersNothingDiffers() {
        TuneConclusion c =
                SERVER.drive(new TuneExperiment(SERVER.plan(4, 1024))).tune();
        assertThat(c.result()).isEqualTo(TuneConclusion.Result.IMPROVED);
        assertThat(c.candidates()).allMatch(k -> k.otherAnswers().isEmpty());
    }
}
