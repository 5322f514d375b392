package dev.fettle.lab.process;

import dev.fettle.model.knob.BootLayout;
import dev.fettle.model.knob.Knob;
import dev.fettle.model.knob.Knobs;
import dev.fettle.model.knob.Setting;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Process knobs: the prefix of a target's command, and its CPUs. */
public final class ProcessKnobs {
    public static final String CPUS = "process.cpus";
    public static final String NICE = "process.nice";
    public static final String NPROC = "process.nproc";

    private ProcessKnobs() {}

    /** A target's CPUs: the first {@code process.cpus} of those set aside. */
    public static Set<Integer> cpus(Setting setting, Set<Integer> aside) {
        return setting.get(CPUS)
                .map(n -> aside.stream().sorted().limit(Long.parseLong(n)).collect(Collectors.toSet()))
                .orElse(aside);
    }

    /**
     * A command prefixed with the commands that set its limits and weights.
     *
     * @param ownNice Fettle's own nice value, which the target inherits and nice(1) adds to
     */
    public static List<String> around(List<String> command, Setting setting, int ownNice) {
        var full = new ArrayList<String>();
        for (Knob knob : Knobs.all()) {
            Optional<String> value = setting.get(knob.name());
            if (knob.launch().isPresent() && value.isPresent()) {
                switch (knob.name()) {
                    case CPUS -> {} // the lab pins every target anyway
                    case BootLayout.KNOB -> {} // the jar is extracted before
                    case NICE ->
                        full.addAll(
                                knob.launch().get().prefix(Integer.toString(Integer.parseInt(value.get()) - ownNice)));
                    default -> full.addAll(knob.launch().get().prefix(value.get()));
                }
            }
        }
        full.addAll(command);
        return full;
    }
}
