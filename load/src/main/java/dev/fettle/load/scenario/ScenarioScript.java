package dev.fettle.load.scenario;

import dev.fettle.load.Part;
import dev.fettle.load.api.ErrorKind;
import dev.fettle.load.bytes.Budget;
import dev.fettle.load.bytes.ByteText;
import dev.fettle.load.scenario.CompiledScenario.CompiledFeed;
import dev.fettle.load.scenario.CompiledScenario.CompiledFlow;
import dev.fettle.load.script.Answer;
import dev.fettle.load.script.Fingerprint;
import dev.fettle.load.script.HeadFormat;
import dev.fettle.load.script.ResponseSink;
import dev.fettle.load.script.Script;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * One user of a scenario. Requests are assembled from constant bytes and the user's values; without regular
 * expressions, nothing is allocated once its buffers have grown.
 */
public final class ScenarioScript implements Script {

    private static final String TOO_LONG = "the body is longer than 1 MiB, the most that is searched";

    private final CompiledScenario scenario;
    private final HeadFormat format;
    private final byte[] cookieName;
    private final byte[] lengthName;
    private final int user;
    private final Part part;
    private final CookieJar jar;
    private final SplittableRandom random;
    private final ByteText[] values;
    private final ByteText head = new ByteText();
    private final ByteText body = new ByteText();
    private final ByteText path = new ByteText();
    /** The value of the field that is being written. */
    private final ByteText field = new ByteText();

    private final Fingerprint print = new Fingerprint();
    private final StepSink sink;
    private ByteBuffer request = ByteBuffer.allocateDirect(512);

    private CompiledFlow flow;
    private int at;
    private long iteration;
    /** Whether the iteration has taken its rows. */
    private boolean begun;
    /** Whether the step's answer has come. */
    private boolean judged;
    /** Whether a value that the step should extract from its answer was missing. */
    private boolean missing;

    private @Nullable String problem;

    /**
     * @param user from 0, among those of all parts
     * @param part whose rows it takes
     */
    ScenarioScript(CompiledScenario scenario, int user, Part part, CookieJar jar, Budget budget) {
        this.scenario = scenario;
        this.format = scenario.format();
        this.cookieName = Objects.requireNonNull(format.name("Cookie"));
        this.lengthName = Objects.requireNonNull(format.name("Content-Length"));
        this.user = user;
        this.part = part;
        this.jar = jar;
        random = new SplittableRandom(scenario.seed() * 0x9E3779B97F4A7C15L + user);
        values = new ByteText[scenario.demands().length];
        for (int i = 0; i < values.length; i++) {
            values[i] = new ByteText(budget);
        }
        values[Variables.USER].setNumber(user + 1L);
        flow = scenario.flow(random.nextLong() >>> 1);
        sink = new StepSink(jar, path, flow.steps()[0], budget);
        print.begin(user);
    }

    @Override
    public void connected() {}

    @Override
    public int step() {
        return flow.firstStep() + at;
    }

    @Override
    public String place() {
        return "step '" + flow.steps()[at].name() + "': ";
    }

    @Override
    public ByteBuffer request() {
        if (!begun) {
            begin();
        }
        CompiledStep step = flow.steps()[at];
        write(step);
        int length = head.length() + body.length();
        if (request.capacity() < length) {
            request = ByteBuffer.allocateDirect(Math.max(length, request.capacity() * 2));
        }
        return request.clear()
                .put(head.bytes(), 0, head.length())
                .put(body.bytes(), 0, body.length())
                .flip();
    }

    private void begin() {
        begun = true;
        iteration++;
        values[Variables.ITERATION].setNumber(iteration);
        if (flow.wantsUuid()) {
            // version 4, variant 2 (RFC 9562, section 5.4)
            values[Variables.UUID].clear();
            values[Variables.UUID].appendHex(random.nextLong() & ~0xF000L | 0x4000L, 1 << 7 | 1 << 3);
            values[Variables.UUID].appendHex(random.nextLong() & ~(3L << 62) | 2L << 62, 1 << 15 | 1 << 11);
        }
        for (CompiledFeed feed : flow.feeds()) {
            int rows = feed.rows().length;
            int row = switch (feed.order()) {
                case SEQUENTIAL ->
                    (int) (part.number(Integer.toUnsignedLong(feed.next().getAndIncrement())) % rows);
                case RANDOM -> random.nextInt(rows);
                case USER -> user % rows;
            };
            for (int column = 0; column < feed.slots().length; column++) {
                values[feed.slots()[column]].share(feed.rows()[row][column]);
            }
        }
    }

    @Override
    public int headLength() {
        return head.length();
    }

    private void write(CompiledStep step) {
        head.clear();
        write(step.path(), path);
        write(step.host(), field);
        format.begin(head, step.method(), field, path);
        for (CompiledStep.Field each : step.fields()) {
            head.append(each.constant());
            if (each.value() != null) {
                write(each.value(), field);
                format.field(head, each.name(), field);
            }
        }
        field.clear();
        if (step.cookie() != null) {
            step.cookie().write(values, field);
        }
        int pathTo = queryStart();
        if (jar.write(field, path, pathTo, step.cookie() != null)) {
            format.field(head, cookieName, field);
        }
        body.clear();
        if (step.body() != null) {
            step.body().write(values, body);
            field.setNumber(body.length());
            format.field(head, lengthName, field);
        }
        format.end(head);
        sink.expect(step, pathTo);
    }

    private void write(Template template, ByteText out) {
        out.clear();
        template.write(values, out);
    }

    private int queryStart() {
        for (int i = 0; i < path.length(); i++) {
            if (path.bytes()[i] == '?') {
                return i;
            }
        }
        return path.length();
    }

    @Override
    public boolean isHead() {
        return flow.steps()[at].head();
    }

    @Override
    public ResponseSink sink() {
        ResponseSink looker = print.on(sink);
        return looker == null ? sink : looker;
    }

    @Override
    public Fingerprint fingerprint() {
        return print;
    }

    @Override
    public @Nullable ErrorKind judge(Answer answer) {
        CompiledStep step = flow.steps()[at];
        judged = true;
        problem = null;
        ErrorKind kind = null;
        try {
            kind = checked(step, answer);
            missing = !taken(step);
        } catch (BoundedText.TooLong e) {
            missing = step.takes().length > 0;
            problem = problem == null ? e.getMessage() : problem;
        } catch (Budget.OverBudget e) {
            missing = step.takes().length > 0;
            problem = e.what();
            kind = ErrorKind.MALFORMED;
        }
        sink.release();
        return kind != null ? kind : problem == null ? null : ErrorKind.CHECK;
    }

    private @Nullable ErrorKind checked(CompiledStep step, Answer answer) {
        if (!step.statuses()[answer.status()]) {
            return ErrorKind.STATUS;
        }
        if (sink.isTooLong()) {
            problem = TOO_LONG;
            return ErrorKind.CHECK;
        }
        for (CompiledCondition test : step.tests()) {
            problem = test.problem(sink, values);
            if (problem != null) {
                return test.kind();
            }
        }
        return null;
    }

    /** Extracts values even from an answer that failed, as the rest of the iteration may need them. */
    private boolean taken(CompiledStep step) {
        boolean all = true;
        for (CompiledExtraction take : step.takes()) {
            String wrong = sink.isTooLong() ? TOO_LONG : take.take(sink, values, scenario.demands());
            if (wrong != null) {
                all = false;
                problem = problem == null ? wrong : problem;
            }
        }
        return all;
    }

    @Override
    public String explain(ErrorKind kind, Answer answer) {
        CompiledStep step = flow.steps()[at];
        String what = kind == ErrorKind.STATUS
                ? "status " + answer.status() + ", expected " + step.wantedStatuses()
                : String.valueOf(problem);
        return place() + what;
    }

    @Override
    public long next(boolean valid) {
        CompiledStep step = flow.steps()[at];
        boolean complete = judged ? !missing : step.takes().length == 0;
        judged = false;
        if (at + 1 < flow.steps().length && (valid || step.goOn() && complete)) {
            at++;
            return step.thinkFrom() == step.thinkTo()
                    ? step.thinkFrom()
                    : random.nextLong(step.thinkFrom(), step.thinkTo() + 1);
        }
        at = 0;
        begun = false;
        for (ByteText value : values) {
            value.release();
        }
        if (!scenario.keepCookies()) {
            jar.clear();
        }
        flow = scenario.flow(random.nextLong() >>> 1);
        return END;
    }
}
