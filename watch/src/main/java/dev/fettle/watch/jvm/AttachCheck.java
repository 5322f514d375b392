package dev.fettle.watch.jvm;

import dev.fettle.watch.host.Proc;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What is made sure of before a process is attached to. It must be this user's own, and root's is root's only. The attach API sends SIGQUIT, which ends a program that is not a
 * JVM, and makes a JVM that does not begin to listen print its threads into its log: so neither must get one, and no JVM
 * twice.
 */
final class AttachCheck {
    private static final Pattern SWITCH = Pattern.compile("([+-])DisableAttachMechanism\\b");

    /** A file of options: of the launcher, or of the JVM. */
    private static final Pattern FILE = Pattern.compile("@([^@].*)|-XX:(?:VMOptionsFile|Flags)=(.+)");

    private static final int MOST_BYTES = 1 << 20;

    /** Of the signals caught, the bit of SIGQUIT. */
    private static final long QUIT = 1 << 3 - 1;

    private final Path root;
    private final Proc proc;

    /** Processes that got the signal and did not begin to listen, by id and start. */
    private final Set<String> silent = ConcurrentHashMap.newKeySet();

    AttachCheck(Path root) {
        this.root = root;
        this.proc = new Proc(root);
    }

    /**
     * Returns if it may be attached to.
     *
     * @throws IOException if not; the message says why
     */
    void check(long pid) throws IOException {
        Optional<String> thread = proc.isAThread(pid);
        if (thread.isPresent()) {
            throw new IOException(thread.get());
        }
        checkOwner(pid);
        Path folder = root.resolve(Long.toString(pid));
        String maps;
        try {
            maps = Files.readString(folder.resolve("maps"), StandardCharsets.ISO_8859_1);
        } catch (AccessDeniedException e) {
            throw new IOException("process " + pid + " belongs to another user: run Fettle as that user", e);
        } catch (NoSuchFileException e) {
            throw new IOException("there is no process with pid " + pid, e);
        } catch (IOException e) {
            return; // no such files here: the attach API will tell
        }
        if (!maps.contains("/libjvm.so")) {
            throw new IOException("process " + pid + " is no JVM: it has not loaded libjvm.so");
        }
        if (!proc.sharesNetwork(pid).orElse(true)) {
            throw new IOException("the JVM with pid " + pid
                    + " is in a network namespace of its own, as in a container, and answers on"
                    + " loopback there only: nsenter --net --target " + pid + " fettle …");
        }
        if (isSwitchedOff(pid)) {
            throw new IOException("the JVM with pid " + pid
                    + " was started with -XX:+DisableAttachMechanism: only the kernel reports on it");
        }
        if (!listens(pid)) {
            mayGetTheSignal(pid);
        }
    }

    /**
     * Root could attach to anybody's JVM. But that JVM says itself where it listens and what it answers, so nobody is looked into with more
     * rights than it has.
     */
    private void checkOwner(long pid) throws IOException {
        Optional<String> another = proc.isAnothers(pid);
        if (another.isPresent()) {
            throw new IOException(another.get());
        }
    }

    /**
     * Returns if it is still the process that was looked at.
     *
     * @param started its start before it was attached to
     * @throws IOException if another has taken its id
     */
    void checkSame(long pid, OptionalLong started) throws IOException {
        checkOwner(pid);
        if (started.isPresent() && !proc.startTicks(pid).equals(started)) {
            throw new IOException("process " + pid + " has ended, and another has its id now");
        }
    }

    /** When a process began, to know it by; empty if it is gone. */
    OptionalLong started(long pid) {
        return proc.startTicks(pid);
    }

    private void mayGetTheSignal(long pid) throws IOException {
        String state = proc.status(Long.toString(pid), "State").orElse("");
        if (state.startsWith("T") || state.startsWith("t")) {
            throw new IOException("the JVM with pid " + pid + " is stopped: it can answer when it goes on");
        }
        boolean caught = proc.status(Long.toString(pid), "SigCgt")
                .map(mask -> (Long.parseUnsignedLong(mask, 16) & QUIT) != 0)
                .orElse(true);
        if (!caught) {
            throw new IOException(
                    "the JVM with pid " + pid
                            + " does not take the signal that asks it to listen: it is just starting, or was started with -Xrs");
        }
        if (silent.contains(name(pid))) {
            throw new IOException("the JVM with pid " + pid
                    + " did not begin to listen when it was asked to; it is not asked again, as it may print its threads"
                    + " into its log each time");
        }
    }

    /** It got the signal, and did not begin to listen. */
    void gotNoAnswer(long pid) {
        silent.add(name(pid));
    }

    private String name(long pid) {
        return pid + " " + proc.startTicks(pid).orElse(0);
    }

    /** Whether it has been attached to before, by whomever: then it needs no signal. */
    private boolean listens(long pid) {
        return Files.exists(AttachSocket.of(root, proc, pid));
    }

    /** The options in the order in which the JVM takes them: of several, the last counts. */
    private boolean isSwitchedOff(long pid) {
        List<String> environment = words(pid, "environ");
        boolean off = false;
        Matcher told = SWITCH.matcher(Stream.of(
                        options(environment, "JAVA_TOOL_OPTIONS="),
                        options(environment, "JDK_JAVA_OPTIONS="),
                        words(pid, "cmdline"),
                        options(environment, "_JAVA_OPTIONS="))
                .flatMap(List::stream)
                .flatMap(word -> Stream.concat(Stream.of(word), file(pid, word).stream()))
                .collect(Collectors.joining("\n")));
        while (told.find()) {
            off = told.group(1).equals("+");
        }
        return off;
    }

    private static List<String> options(List<String> environment, String variable) {
        return environment.stream()
                .filter(e -> e.startsWith(variable))
                .flatMap(e -> Arrays.stream(e.substring(variable.length()).split("[\\s'\"]+")))
                .toList();
    }

    private List<String> words(long pid, String file) {
        return proc.text(pid + "/" + file).map(t -> List.of(t.split("\0"))).orElse(List.of());
    }

    /** What is in a file of options, without its comments; empty if the word names none. */
    private Optional<String> file(long pid, String word) {
        Matcher named = FILE.matcher(word);
        if (!named.matches()) {
            return Optional.empty();
        }
        String name = named.group(1) == null ? named.group(2) : named.group(1);
        try {
            // the process may see other files than this one
            Path file = root.resolve(pid + (name.startsWith("/") ? "/root" : "/cwd/") + name);
            if (!Files.isRegularFile(file) || Files.size(file) > MOST_BYTES) {
                return Optional.empty();
            }
            return Optional.of(Files.readString(file, StandardCharsets.ISO_8859_1)
                    .lines()
                    .map(String::strip)
                    .filter(Predicate.not(l -> l.startsWith("#")))
                    .collect(Collectors.joining("\n")));
        } catch (IOException | RuntimeException e) {
            return Optional.empty(); // it may have been an argument of the program
        }
    }
}
