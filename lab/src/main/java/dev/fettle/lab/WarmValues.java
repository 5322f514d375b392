package dev.fettle.lab;

import dev.fettle.lab.machine.TrialFailure;
import dev.fettle.model.knob.Knob;
import dev.fettle.model.knob.Knobs;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** What has to be set in a warm JVM so that a setting is in force there as it would be after a start with it. */
final class WarmValues {
    private final Map<String, String> launched;
    private final Setting base;
    private final Set<String> live;
    private final Optional<ServerKind> server;

    /** Knobs that are or were set: what a setting leaves alone has to go back. */
    private final Set<String> touched = new TreeSet<>();

    /**
     * Creates it for a JVM.
     *
     * @param server the one that runs in it
     * @param launched values in force after its launch
     * @param base the setting that it was launched with
     * @param live the knobs that it takes while it runs
     */
    WarmValues(Optional<ServerKind> server, Map<String, String> launched, Setting base, Set<String> live) {
        this.server = server;
        this.launched = Map.copyOf(launched);
        this.base = base;
        this.live = Set.copyOf(live);
    }

    /**
     * The values that must be in force for a setting.
     *
     * @throws TrialFailure if one can't be set while the server runs
     */
    Map<String, String> wanted(Setting setting) throws TrialFailure {
        for (var e : setting.values().entrySet()) {
            if (base.get(e.getKey()).filter(e.getValue()::equals).isEmpty()) {
                touched.add(e.getKey());
            }
        }
        var wanted = new TreeMap<String, String>();
        for (String knob : touched) {
            String value = setting.get(knob).orElse(launched.get(knob));
            if (!live.contains(knob) || value == null) {
                throw TrialFailure.notEffective(
                        knob,
                        knob + " can't be "
                                + (live.contains(knob) ? "put back to its default" : "set")
                                + " while the server runs as it was started");
            }
            wanted.put(knob, value);
        }
        for (String name : live) {
            Knob knob = Knobs.find(name).orElseThrow();
            Optional<String> bound = knob.atMost().filter(wanted::containsKey);
            if (bound.isPresent() && setting.get(name).isEmpty() && launched.containsKey(name)) {
                wanted.put(name, follower(knob, bound.get(), wanted.getOrDefault(bound.get(), "")));
            }
        }
        return wanted;
    }

    /** The value that a start would give a knob whose value must not exceed another's, which may be its default: Undertow's pool has a fixed size. */
    private String follower(Knob knob, String bound, String most) {
        String own = launched.getOrDefault(knob.name(), most);
        boolean follows =
                server.filter(s -> knob.on(s).byDefault().equals(bound)).isPresent()
                        && own.equals(launched.get(bound))
                        && base.get(knob.name()).isEmpty();
        return follows || knob.number(own) > knob.number(most) ? most : own;
    }
}
