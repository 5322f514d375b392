package dev.fettle.model.constraint;

import dev.fettle.model.constraint.Constraints.Reason;
import dev.fettle.model.knob.Knob;
import dev.fettle.model.knob.Knobs;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.target.Target;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Finds what can't be set in a running process: what needs a restart, and anything unless changes are allowed. */
final class RunningConstraints {
    private RunningConstraints() {}

    static List<Reason> reasons(Target.Running target, Setting setting, int cpus, int somaxconn) {
        var out = new ArrayList<Reason>();
        for (String name : setting.values().keySet()) {
            Knobs.find(name)
                    .flatMap(k -> refusal(target, k))
                    .ifPresent(why -> out.add(new Reason(name, name + " cannot be set: " + why)));
        }
        if (out.isEmpty() && !setting.isDefault() && target.knownServer().isPresent()) {
            ServerKind server = target.knownServer().get();
            Setting before = target.configured();
            out.addAll(Constraints.server(
                    server, staying(before, setting).with(setting), cpus, somaxconn, Target.Jvm.SAME));
            // problems it already has are its owner's business
            out.removeAll(Constraints.server(server, before, cpus, somaxconn, Target.Jvm.SAME));
        }
        return out;
    }

    private static Optional<String> refusal(Target.Running target, Knob knob) {
        String process = target.label();
        if (!target.live()) {
            return Optional.of(
                    process + " is only watched; 'live: true' (--live) lets Fettle set live knobs in it, and put"
                            + " them back");
        }
        boolean somewhere = target.knownServer().map(List::of).orElse(List.of(ServerKind.values())).stream()
                .anyMatch(s -> knob.on(s).settableInMBeans());
        if (!somewhere) {
            return Optional.of("it needs a restart, and Fettle did not start " + process);
        }
        if (target.found().isEmpty() || target.found().get().settable().contains(knob.name())) {
            return Optional.empty();
        }
        return Optional.of(target.knownServer()
                .map(s -> process + " has no MBean that sets it" + hint(Stream.of(s)))
                .orElseGet(() -> "no " + ServerKind.any() + " was found among the MBeans of " + process
                        + hint(Arrays.stream(ServerKind.values()))));
    }

    private static String hint(Stream<ServerKind> servers) {
        return servers.flatMap(s -> s.rules().beansHint().stream())
                .map(hint -> "; " + hint)
                .collect(Collectors.joining());
    }

    /** The values that remain next to a setting: one that must not exceed a value being set is lowered with it. */
    private static Setting staying(Setting before, Setting setting) {
        Setting stays = Setting.DEFAULT;
        for (var e : before.values().entrySet()) {
            boolean follows = Knobs.find(e.getKey())
                    .flatMap(Knob::atMost)
                    .flatMap(setting::get)
                    .isPresent();
            if (!follows) {
                stays = stays.with(e.getKey(), e.getValue());
            }
        }
        return stays;
    }
}
