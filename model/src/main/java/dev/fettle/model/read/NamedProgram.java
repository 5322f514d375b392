package dev.fettle.model.read;

import dev.fettle.model.target.Target;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;

/** A program in place of a target's own: another build of it. */
record NamedProgram(Path path, OwnConfiguration own) {
    private static final String ARTIFACT = "{artifact:";

    /**
     * A target that runs it, and is the same otherwise.
     *
     * @throws IllegalArgumentException with one line for the user, if the target has no place for it or it is not there
     */
    Target in(Target target) {
        if (!Files.exists(path)) {
            throw new IllegalArgumentException("no such file: " + path);
        }
        Target made = switch (target) {
            case Target.Boot b -> {
                OwnConfiguration.BootApp app = own.look(path);
                yield b.with()
                        .jar(path.toString())
                        .server(app.server())
                        .version(app.version())
                        .build();
            }
            case Target.War w -> new Target.War(w.server(), path.toString(), w.context(), w.jvm());
            case Target.Standalone s -> in(s);
            case Target.Command c -> in(c);
            case Target.Embedded _ ->
                throw new IllegalArgumentException(
                        "a sample app has no program of yours: name a WAR, a jar, a server's home or a command in the plan's target");
            case Target.Running _, Target.Url _ ->
                throw new IllegalArgumentException(
                        "Fettle does not start " + target.label()
                                + ", so it can't run another program: name a WAR, a jar, a server's home or a command in the plan's target");
        };
        return made.configured(own.of(made));
    }

    private Target in(Target.Standalone s) {
        boolean home = Files.isDirectory(path) && !Files.isDirectory(path.resolve("WEB-INF"));
        if (!home) {
            return s.withWar(Optional.of(path.toString()));
        }
        boolean base = s.base().isPresent() && s.base().equals(s.home())
                || s.war().isEmpty() && s.base().isEmpty();
        return s.with()
                .version(Optional.empty())
                .home(Optional.of(path.toString()))
                .base(base ? Optional.of(path.toString()) : s.base())
                .build();
    }

    /** In place of the command's one jar or artifact. */
    private Target in(Target.Command c) {
        List<String> programs = c.arguments().stream()
                .flatMap(List::stream)
                .filter(NamedProgram::isProgram)
                .distinct()
                .toList();
        if (programs.size() != 1) {
            throw new IllegalArgumentException(
                    "the command names %s: say under compare.variants which arguments differ, such as {head: {command: […]}}"
                            .formatted(programs.isEmpty() ? "no jar" : String.join(" and ", programs)));
        }
        String old = programs.getFirst();
        var artifacts = new HashMap<>(c.artifacts());
        if (old.startsWith(ARTIFACT)) {
            artifacts.remove(old.substring(ARTIFACT.length(), old.length() - 1));
        }
        return c.with()
                .arguments(c.arguments().stream()
                        .map(g -> g.stream()
                                .map(a -> a.equals(old) ? path.toString() : a)
                                .toList())
                        .toList())
                .artifacts(artifacts)
                .build();
    }

    private static boolean isProgram(String argument) {
        return argument.matches("[^{}]*\\.(jar|war)|\\{artifact:[^{}]*}");
    }
}
