package dev.fettle.servers;

import dev.fettle.agent.ControlFile;
import dev.fettle.agent.ControlPort;
import dev.fettle.agent.Json;
import dev.fettle.servers.settings.LaunchFailure;
import java.io.IOException;
import java.nio.file.Path;

/**
 * What the control port answers who knows its token.
 *
 * <pre>
 * stats             {json}
 * stats threads     {json with threadStates}
 * set NAME=VALUE    ok {effective}   or   error REASON
 * effective         ok {effective}
 * stop              ok               and the process ends with 0
 * </pre>
 */
record Control(Target target, Runnable onStop) implements ControlPort.Answers {
    /** @param file receives the port and its token, see {@link ControlFile} */
    static void open(Target target, Runnable onStop, Path file) throws IOException {
        ControlPort control = ControlPort.open("fettle-control", new Control(target, onStop));
        try {
            ControlFile.write(control, file);
        } catch (IOException | RuntimeException e) {
            control.close();
            throw e;
        }
    }

    @Override
    public String answer(String line) {
        try {
            if (line.startsWith("set ")) {
                target.set(line.substring("set ".length()).strip());
                return "ok " + Json.write(target.effective());
            }
            return switch (line) {
                case "stats" -> Json.write(target.stats(false));
                case "stats threads" -> Json.write(target.stats(true));
                case "effective" -> "ok " + Json.write(target.effective());
                case "stop" -> "ok";
                default ->
                    throw new ControlPort.UnknownQuestion(
                            "stats, stats threads, effective, set NAME=VALUE and stop are known");
            };
        } catch (ControlPort.UnknownQuestion e) {
            throw e;
        } catch (LaunchFailure e) {
            return "error " + e.reason();
        } catch (RuntimeException e) {
            return "error " + LaunchFailure.words(e);
        }
    }

    @Override
    public void answered(String line) {
        if (line.equals("stop")) {
            onStop.run();
        }
    }

    static void daemon(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }
}
