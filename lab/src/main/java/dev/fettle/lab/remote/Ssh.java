package dev.fettle.lab.remote;

import dev.fettle.lab.machine.LabException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;

/**
 * The user's own ssh, with its configuration, keys and known hosts. Nothing of these is relaxed, and it never asks: what would need an
 * answer is an error. A connection of its own is given up when the other side has not answered for about ten seconds.
 */
public final class Ssh {
    /** As ssh ends when it could not connect, or lost its connection. */
    static final int UNREACHED = 255;

    /** What a word of a command may have, so that no shell of the other side, whichever that is, can read anything into it. */
    private static final Pattern SAFE_WORD = Pattern.compile("^[A-Za-z0-9._/=,-]+$");

    private static final List<String> OPTIONS = List.of(
            "-T",
            "-o",
            "BatchMode=yes",
            "-o",
            "ConnectTimeout=10",
            "-o",
            "ServerAliveInterval=3",
            "-o",
            "ServerAliveCountMax=3",
            "-o",
            "ClearAllForwardings=yes",
            "-o",
            "ForwardAgent=no",
            "-o",
            "ForwardX11=no");

    private final String program;
    private final Destination to;

    /** @param program the ssh to run: a name on the PATH, or a file */
    public Ssh(String program, Destination to) {
        this.program = program;
        this.to = to;
    }

    /** Where it goes. */
    public Destination to() {
        return to;
    }

    /**
     * Starts a script of a POSIX shell on the other side. It gets its input from this process, and this process gets its two outputs. In
     * a session of its own: so Ctrl-C in this terminal does not end the connection over which an orderly end is asked for.
     *
     * @param script without single quotes, backslashes, exclamation marks and line feeds: so every login shell passes it on as it is
     * @param words its parameters from {@code $1} on
     * @throws LabException if there is no ssh
     */
    Process start(String script, List<String> words) throws LabException {
        var command = new ArrayList<>(List.of("setsid", program));
        command.addAll(OPTIONS);
        command.add("--");
        command.add(to.text());
        command.add(line(script, words));
        try {
            return new ProcessBuilder(command).start();
        } catch (IOException e) {
            throw new LabException(
                    "there is no " + program + " (or no setsid) to reach " + to + " with: " + e.getMessage(), e);
        }
    }

    static String line(String script, List<String> words) {
        if (script.codePoints().anyMatch(c -> "'\\!\n".indexOf(c) >= 0)) {
            throw new IllegalArgumentException("not every shell passes this on: " + script);
        }
        for (String word : words) {
            if (!SAFE_WORD.matcher(word).matches()) {
                throw new IllegalArgumentException("not every shell passes this on: " + word);
            }
        }
        return "sh -c '" + script + "' fettle" + (words.isEmpty() ? "" : " " + String.join(" ", words));
    }

    /**
     * Why it could not be reached.
     *
     * @param printed what ssh printed
     */
    LabException unreached(String printed) {
        String said = last(printed, "");
        String lower = printed.toLowerCase(Locale.ROOT);
        String hint = "";
        if (lower.contains("host key verification failed")
                || lower.contains("remote host identification has changed")) {
            hint = ": its key is not the one that ssh knows, or ssh knows none; connect once by hand, with: ssh " + to;
        } else if (lower.contains("permission denied") || lower.contains("too many authentication failures")) {
            hint =
                    ": Fettle's ssh asks for no password; it needs a key, or an agent that has it. Try: ssh -o BatchMode=yes "
                            + to;
        }
        return new LabException(
                to + " can't be reached with " + program + ": " + (said.isEmpty() ? "it says nothing" : said) + hint);
    }

    /** The last line of what is said that is not blank. */
    static String last(String said, String otherwise) {
        return said.lines().map(String::strip).filter(l -> !l.isEmpty()).reduce(otherwise, (_, l) -> l);
    }

    /** All that is said, up to a bound in bytes: the rest is read and dropped. */
    static CompletableFuture<String> said(InputStream in, int most) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        byte[] said = in.readNBytes(most);
                        in.transferTo(OutputStream.nullOutputStream());
                        return new String(said, StandardCharsets.UTF_8);
                    } catch (IOException e) {
                        return "";
                    }
                },
                Thread::startVirtualThread);
    }
}
