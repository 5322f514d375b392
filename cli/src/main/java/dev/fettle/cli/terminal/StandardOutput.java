package dev.fettle.cli.terminal;

import dev.fettle.lab.machine.KeptFailure;
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.util.Optional;

/** The standard output of the process, in place of {@link System#out}, which does not report a failure to write. */
public final class StandardOutput {
    private final KeptFailure kept = new KeptFailure(new FileOutputStream(FileDescriptor.out));

    private StandardOutput() {}

    /** Puts it in place; to be called before anything is written. */
    public static StandardOutput install() {
        var output = new StandardOutput();
        System.setOut(new PrintStream(new BufferedOutputStream(output.kept), false, System.out.charset()));
        return output;
    }

    /** Whether what is written reaches nobody any more. */
    static boolean isGone() {
        return System.out.checkError();
    }

    /**
     * The exit code of a command, once all is written. That the reader has gone, as {@code head} does, is its own business; any
     * other failure is reported.
     *
     * @param code the command's own
     */
    public int end(int code) {
        System.out.flush();
        Optional<String> failure = kept.failure().map(IOException::getMessage).filter(m -> !m.contains("Broken pipe"));
        failure.ifPresent(m -> System.err.println("fettle: cannot write the standard output: " + m));
        return failure.isPresent() && code == ExitCodes.OK ? ExitCodes.FAILED : code;
    }
}
