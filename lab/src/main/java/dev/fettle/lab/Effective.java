package dev.fettle.lab;

import dev.fettle.model.Setting;
import dev.fettle.model.Target;
import dev.fettle.model.TrialOutcome.Kind;
import dev.fettle.watch.JvmProbe;
import dev.fettle.watch.ListenQueue;
import dev.fettle.watch.Proc;
import java.io.IOException;
import java.util.OptionalInt;

/** Reads knob values back from a running target, and holds them against the ones that were set. */
final class Effective {
    private final Proc proc;

    Effective(Proc proc) {
        this.proc = proc;
    }

    /** Completes what the target said of itself with what the kernel and the JVM say. */
    OptionalInt readBack(RunningTarget running, Target target, Setting setting)
            throws TrialFailure, InterruptedException {
        OptionalInt queue = ListenQueue.limit(running.address.getPort());
        if (queue.isEmpty()) {
            running.notes.add("effective backlog not read: ss(8) of iproute2 is missing or shows no such socket");
        }
        if (running.process.isPresent()) {
            if (target instanceof Target.Command command) {
                attach(running, command);
            }
            readJvm(running, setting);
        }
        compare(running, setting, queue);
        return queue;
    }

    private static void attach(RunningTarget running, Target.Command command) {
        if (command.workers().isEmpty()) {
            running.notes.add("busy threads not read: the plan names no 'workers' thread prefix");
            return;
        }
        try {
            running.probe = JvmProbe.attach(running.pid(), command.workers().get());
        } catch (IOException e) {
            running.notes.add("busy threads not read: " + e.getMessage());
        }
    }

    private static void readJvm(RunningTarget running, Setting setting) {
        if (setting.values().keySet().stream().noneMatch(k -> k.equals("jvm.heap") || k.equals("jvm.gc"))) {
            return;
        }
        try (var jvm = JvmProbe.attach(running.pid(), "")) {
            jvm.vmOption("MaxHeapSize").ifPresent(v -> running.effective.put("jvm.heap", v));
            for (var collector : JvmArguments.COLLECTORS.entrySet()) {
                if (jvm.vmOption(collector.getValue()).orElse("").equals("true")) {
                    running.effective.put("jvm.gc", collector.getKey());
                }
            }
        } catch (IOException e) {
            running.notes.add("JVM flags not read back: " + e.getMessage());
        }
    }

    private void compare(RunningTarget running, Setting setting, OptionalInt queue) throws TrialFailure {
        int somaxconn = proc.somaxconn();
        for (var e : setting.values().entrySet()) {
            String knob = e.getKey();
            String set = e.getValue();
            String got = running.effective.get(knob);
            if (knob.equals("backlog") && queue.isPresent()) {
                int wanted = Math.min(Integer.parseInt(set), somaxconn);
                if (queue.getAsInt() != wanted) {
                    throw notEffective(knob, set, queue.getAsInt() + " (accept queue of the listening socket)");
                }
                running.effective.put(knob, Integer.toString(queue.getAsInt()));
            } else if (got == null) {
                running.notes.add(knob + " was set to " + set + " and can't be read back from this target");
            } else if (knob.equals("jvm.heap") ? Long.parseLong(got) < JvmArguments.bytes(set) : !got.equals(set)) {
                // HotSpot rounds the heap up to its alignment
                throw notEffective(knob, set, got);
            } else {
                running.effective.put(knob, set);
            }
        }
    }

    private static TrialFailure notEffective(String knob, String set, String got) {
        return new TrialFailure(
                Kind.NOT_EFFECTIVE, knob + " was set to " + set + ", but the running target has " + got);
    }
}
