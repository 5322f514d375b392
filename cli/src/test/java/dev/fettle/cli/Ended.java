package dev.fettle.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;

/** How a command ended that ran in this JVM; {@link Fettle} runs one in a process of its own. */
final class Ended {
    final int code;
    final String out;
    final String err;

    private Ended(int code, String out, String err) {
        this.code = code;
        this.out = out;
        this.err = err;
    }

    static Ended of(String... arguments) {
        return of(new StringWriter(), arguments);
    }

    static Ended of(List<String> arguments) {
        return of(arguments.toArray(String[]::new));
    }

    /** @param out receives what it says, while it says it */
    static Ended of(StringWriter out, String... arguments) {
        var err = new StringWriter();
        int code = Main.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments);
        return new Ended(code, out.toString(), err.toString());
    }
}
