package dev.fettle.lab.fake;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A server whose behaviour is a script: so many threads, each request holds one of them for so long, and at a step of a phase something
 * happens to it. Each wait of whoever drives it is a step.
 */
public final class FakeServer {
    /** How it answers. */
    enum Mode {
        ANSWERS,
        SILENT,
        REFUSES,
        /** Nothing on this machine is left to ask it with. */
        NOT_ASKED,
        WRONG,
        DEAD
    }

    /** What happens. */
    @FunctionalInterface
    public interface Fault {
        void happens(FakeServer server);
    }

    private record Scripted(Phase phase, int step, Fault fault) {}

    private final List<Scripted> script = new ArrayList<>();

    private record Delayed(int step, Fault fault) {}

    private final List<Delayed> delayed = new ArrayList<>();
    private int all;
    private final Map<Phase, Integer> steps = new EnumMap<>(Phase.class);

    final Map<String, String> values =
            new TreeMap<>(Map.of("threads.max", "200", "threads.min", "10", "connections.max", "8192"));
    Mode mode = Mode.ANSWERS;
    int threads = 200;
    double serviceSeconds = 0.01;
    /** Requests that wait in it, of an open load; they stay when the load is gone. */
    double backlog;

    double backlogAt;
    double cpuSeconds;
    int exitCode;
    double foreign;
    boolean exclusive;
    boolean keepsThreads;
    boolean ignores;
    boolean recorded;
    long logsLeftOut;
    int grown;
    boolean wasKilled;
    Optional<String> lastWords = Optional.empty();
    Optional<String> generatorFails = Optional.empty();
    Optional<String> deaf = Optional.empty();
    Optional<RuntimeException> impossible = Optional.empty();

    /** One of 200 threads that answers after 10 ms. */
    public FakeServer() {}

    public FakeServer threads(int n) {
        threads = n;
        return this;
    }

    public FakeServer answersAfter(double seconds) {
        serviceSeconds = seconds;
        return this;
    }

    /** Something happens at the n-th step of a phase, from 1. */
    public FakeServer at(Phase phase, int step, Fault fault) {
        script.add(new Scripted(phase, step, fault));
        return this;
    }

    /** Something happens so many steps from now, whatever phase they are of. */
    public void later(int inSteps, Fault fault) {
        delayed.add(new Delayed(all + inSteps, fault));
    }

    /** It wants something that only one process can have. */
    public FakeServer takesWhatOnlyOneCanHave() {
        exclusive = true;
        return this;
    }

    /** It is recorded while it is measured. */
    public FakeServer recorded() {
        recorded = true;
        return this;
    }

    /** Its pool does not shrink while it runs. */
    public FakeServer keepsItsThreads() {
        keepsThreads = true;
        return this;
    }

    public void dies(int code) {
        mode = Mode.DEAD;
        exitCode = code;
    }

    /** By somebody else, as the kernel does when memory runs out. */
    public void isKilled() {
        dies(137);
        wasKilled = true;
    }

    public void fallsSilent() {
        mode = Mode.SILENT;
    }

    public void answersAgain() {
        mode = Mode.ANSWERS;
    }

    public void refuses() {
        mode = Mode.REFUSES;
    }

    public void isNotReached() {
        mode = Mode.NOT_ASKED;
    }

    public void answersWrong() {
        mode = Mode.WRONG;
    }

    /** It prints that it has no memory left, and goes on without an answer. */
    public void leaks() {
        mode = Mode.SILENT;
        lastWords = Optional.of("java.lang.OutOfMemoryError: Java heap space");
    }

    /** It prints that it has no memory left, and goes on as before. */
    public void complains() {
        lastWords = Optional.of("java.lang.OutOfMemoryError: Java heap space");
    }

    /** The load generator fails, and not the server. */
    public void generatorFails() {
        generatorFails = Optional.of("engine thread 0 ended early");
    }

    /** The generator refuses the load. */
    public void loadIsRefused(RuntimeException why) {
        impossible = Optional.of(why);
    }

    /** Its control port answers no more. */
    public void isDeaf() {
        deaf = Optional.of("the connection was closed");
    }

    /** It takes values, and nothing changes. */
    public void ignoresWhatIsSet() {
        ignores = true;
    }

    /** Another value is in force than the one that was set. */
    public void has(String knob, String value) {
        values.put(knob, value);
    }

    public void othersUse(double share) {
        foreign = share;
    }

    public void becomesSlower(double times) {
        serviceSeconds *= times;
    }

    public void writesLogsWithoutEnd() {
        logsLeftOut = 5L << 20;
    }

    /** How many steps of a phase there were. */
    public int steps(Phase phase) {
        return steps.getOrDefault(phase, 0);
    }

    void step(Phase phase) {
        int now = steps.merge(phase, 1, Integer::sum);
        all++;
        delayed.stream().filter(d -> d.step == all).toList().forEach(d -> d.fault.happens(this));
        script.stream().filter(s -> s.phase == phase && s.step == now).toList().forEach(s -> s.fault.happens(this));
    }

    boolean isUp() {
        return mode != Mode.DEAD;
    }

    /** Requests a second that it can answer. */
    double most() {
        return threads / serviceSeconds;
    }
}
