package dev.fettle.report;

import dev.fettle.insight.TuneConclusion;
import dev.fettle.model.JvmFlags;
import dev.fettle.model.Setting;
import dev.fettle.model.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A setting in the server's own words, ready to paste. Knobs that a setting does not name keep the server's default and
 * are not written; a knob that has no line in a file is named in a comment, never left out silently.
 */
public final class PasteConfig {
    private PasteConfig() {}

    /**
     * What a tune recommends; empty when it recommends nothing: the run is unfinished, of another kind, or showed no
     * improvement.
     */
    public static List<Snippet> of(RunReport run) {
        if (run.conclusion().isPresent()
                && run.conclusion().get() instanceof TuneConclusion t
                && t.result() == TuneConclusion.Result.IMPROVED) {
            return of(run.plan().target(), t.winner(), new ConfigReasons(run, t).provenance());
        }
        return List.of();
    }

    /**
     * A setting for a target.
     *
     * @param target decides whose words are used; nothing can be written for a URL
     * @param setting the knobs to write, held ones included
     * @param comment one line that goes into each piece: which run, and what it gave
     */
    public static List<Snippet> of(Target target, Setting setting, String comment) {
        var all = new ArrayList<Snippet>();
        if (target instanceof Target.Url) {
            return List.of();
        }
        if (target instanceof Target.Command c) {
            all.add(CommandLines.snippet(c, setting, comment));
        }
        target.knownServer()
                .filter(s -> setting.values().keySet().stream().anyMatch(NativeNames::ofServer))
                .ifPresent(s -> all.addAll(
                        target instanceof Target.Boot
                                ? ServerConfig.ofBootApp(s, setting, comment)
                                : ServerConfig.snippets(s, setting, comment)));
        List<String> flags = JvmFlags.of(setting);
        if (!flags.isEmpty()) {
            all.add(new Snippet(
                    "JVM flags", "shell", "# " + Escapes.comment(comment) + "\n" + Escapes.shell(flags) + "\n"));
        }
        ConfigJava.file(ConfigPlace.of(target), setting)
                .ifPresent(f -> all.add(new Snippet(
                        "Java: " + f.path(), f.language(), "# " + Escapes.comment(comment) + "\n" + f.text())));
        process(target, setting, comment).ifPresent(all::add);
        return List.copyOf(all);
    }

    /** The knobs of the process as the directives of a systemd unit. */
    private static Optional<Snippet> process(Target target, Setting setting, String comment) {
        return new ConfigDeployment(target, setting)
                .process()
                .map(f -> new Snippet(
                        "systemd: a drop-in of the unit",
                        f.language(),
                        "# " + Escapes.comment(comment) + "\n" + f.text()));
    }
}
