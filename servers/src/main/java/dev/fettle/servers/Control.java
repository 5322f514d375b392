package dev.fettle.servers;

import dev.fettle.agent.ControlPort;
import dev.fettle.agent.Json;
import dev.fettle.servers.settings.LaunchFailure;
import java.io.IOException;

/**
 * What the control port answers.
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
    static ControlPort open(Target target, Runnable onStop) throws IOException {
        return ControlPort.open("fettle-control", new Control(target, onStop));
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
                default -> "error unknown command; stats, stats threads, effective, set NAME=VALUE and stop are known";
            };
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
