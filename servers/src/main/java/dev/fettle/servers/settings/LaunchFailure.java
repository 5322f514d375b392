package dev.fettle.servers.settings;

import dev.fettle.servers.war.WarException;
import java.net.BindException;

/** Why a server did not start, or refused a live change, in words for the user, with the process's exit code. */
public final class LaunchFailure extends Exception {
    public static final int BAD_ARGUMENT = 2;
    static final int PORT_IN_USE = 3;
    static final int REFUSED = 4;
    static final int NOT_DEPLOYED = 5;

    private final int exitCode;

    private LaunchFailure(int exitCode, String reason) {
        super(reason);
        this.exitCode = exitCode;
    }

    public int exitCode() {
        return exitCode;
    }

    public String reason() {
        return String.valueOf(getMessage());
    }

    public String kind() {
        return switch (exitCode) {
            case BAD_ARGUMENT -> "bad-argument";
            case PORT_IN_USE -> "port-in-use";
            case NOT_DEPLOYED -> "not-deployed";
            default -> "refused";
        };
    }

    public static LaunchFailure badArgument(String reason) {
        return new LaunchFailure(BAD_ARGUMENT, reason);
    }

    public static LaunchFailure refused(String reason) {
        return new LaunchFailure(REFUSED, reason);
    }

    /** A WAR that the server can't run, reported with the innermost exception. */
    public static LaunchFailure notDeployed(Throwable thrown) {
        Throwable root = thrown;
        for (int depth = 0; root.getCause() != null && depth < 50; depth++) {
            root = root.getCause();
        }
        return notDeployed(root instanceof WarException ? String.valueOf(root.getMessage()) : root.toString());
    }

    public static LaunchFailure notDeployed(String why) {
        return new LaunchFailure(NOT_DEPLOYED, "the web application did not deploy: " + why.replace('\n', ' '));
    }

    /** An exception thrown while the server was configured or started, reported in the server's own words. */
    public static LaunchFailure of(Throwable thrown, String server, String address) {
        if (thrown instanceof LaunchFailure failure) {
            return failure;
        }
        for (Throwable t = thrown; t != null; t = t.getCause()) {
            if (t instanceof BindException && !String.valueOf(t.getMessage()).contains("assign")) {
                return new LaunchFailure(PORT_IN_USE, address + " is in use (" + t.getMessage() + ")");
            }
        }
        return refused(server + " refused: " + words(thrown));
    }

    /** The messages from the outermost exception to the root, each only once. */
    public static String words(Throwable thrown) {
        StringBuilder words = new StringBuilder();
        for (Throwable t = thrown; t != null; t = t.getCause()) {
            String said = t.getMessage() == null ? t.getClass().getSimpleName() + " without a message" : t.getMessage();
            if (words.indexOf(said) < 0) {
                words.append(words.length() == 0 ? "" : ": ").append(said);
            }
        }
        return words.toString().replace('\n', ' ');
    }
}
