package dev.fettle.lab.process;

import dev.fettle.model.target.Hook;
import dev.fettle.model.target.Hooks;
import dev.fettle.model.target.Target;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Whether a command runs what it is given as another user, who then has to get at its files: through a program that does that. */
public final class OtherUser {
    private static final Set<String> PROGRAMS = Set.of("""
            sudo su doas runuser setpriv gosu su-exec chpst setuidgid s6-setuidgid start-stop-daemon jsvc chroot
            unshare nsenter systemd-run machinectl docker podman nerdctl buildah lxc lxc-attach kubectl kind minikube""".split("\\s+"));

    /** What is between the words of a command, a script or a line of one. */
    private static final Pattern BETWEEN = Pattern.compile("[\\s;&|()'\"`=$]+");

    private OtherUser() {}

    /** Whether a target does, or a script that it brings along. */
    public static boolean in(Target target) {
        return target instanceof Target.Command c
                && in(Stream.of(
                                c.arguments().stream().flatMap(List::stream),
                                c.files().values().stream(),
                                c.templates().values().stream())
                        .flatMap(s -> s));
    }

    /** Whether a hook of a plan does. */
    public static boolean in(Hooks hooks) {
        return in(Stream.of(hooks.before(), hooks.after())
                .flatMap(Collection::stream)
                .map(Hook::run)
                .flatMap(groups -> groups.stream().flatMap(List::stream)));
    }

    private static boolean in(Stream<String> texts) {
        return texts.flatMap(BETWEEN::splitAsStream)
                .map(word -> word.substring(word.lastIndexOf('/') + 1))
                .anyMatch(PROGRAMS::contains);
    }
}
