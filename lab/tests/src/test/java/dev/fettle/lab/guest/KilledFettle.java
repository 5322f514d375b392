package dev.fettle.lab.guest;

import dev.fettle.lab.Fixtures;
import dev.fettle.lab.measure.Profiling;
import dev.fettle.lab.target.RunningTarget;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.target.Target;
import dev.fettle.model.trial.Profile;
import dev.fettle.model.trial.ProfileWish;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/**
 * A program that does to a running server what trials do, until somebody ends it: {@code WORKSPACE PID PORT WHAT ONCE}. It prints a line
 * before and after each change.
 */
public final class KilledFettle {
    private KilledFettle() {}

    public static void main(String[] arguments) throws Exception {
        Path workspace = Path.of(arguments[0]);
        long pid = Long.parseLong(arguments[1]);
        int port = Integer.parseInt(arguments[2]);
        String what = arguments[3];
        boolean once = Boolean.parseBoolean(arguments[4]);
        var env = Fixtures.unloaded(workspace);
        var debts = new Debts(env.state(), env.proc());
        Path recordings = Files.createDirectories(workspace.resolve("recordings"));
        var asked = new Target.Running(pid, Optional.empty(), true, false, Optional.empty());
        Target.Running target = what.contains("values") ? new ProcessInspection(env, note -> {}).at(asked) : asked;
        for (int few = 5; ; few = few == 5 ? 6 : 5) {
            say("begin");
            try (RunningTarget visited = what.contains("values")
                            ? new ProcessVisit(env, KilledFettle::say)
                                    .visit(target, Setting.of("threads.max", Integer.toString(few)))
                            : null;
                    Profiling profiling = profiling(what, pid, port, debts, recordings)) {
                say("changed");
                if (once) {
                    Thread.sleep(Long.MAX_VALUE);
                }
            }
            say("as before");
        }
    }

    private static Profiling profiling(String what, long pid, int port, Debts debts, Path folder) throws IOException {
        Set<Profile.Kind> cpu = Set.of(Profile.Kind.CPU);
        if (what.contains("jfr")) {
            return Profiling.begin(pid, port, Optional.of(debts), new ProfileWish(cpu, ProfileWish.Engine.JFR), folder);
        }
        return what.contains("async")
                ? Profiling.begin(pid, port, Optional.of(debts), new ProfileWish(cpu, ProfileWish.Engine.ASYNC), folder)
                : null;
    }

    private static void say(String line) {
        System.out.println(line);
        System.out.flush();
    }
}
