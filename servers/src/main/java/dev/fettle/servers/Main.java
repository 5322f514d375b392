package dev.fettle.servers;

import dev.fettle.servers.launch.Launch;
import dev.fettle.servers.settings.LaunchFailure;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The server process. Arguments are {@code key=value}: {@code server}, {@code app} or {@code war} (an unpacked one,
 * with {@code context} and {@code scratch}), {@code host}, {@code port}, {@code stop.on.eof}, {@code control} (a file: with it there is a control port, and the file says where, see {@link
 * dev.fettle.agent.ControlFile}), {@code app.OPTION} and
 * knobs under their common names. A knob that is not given keeps the server's default.
 *
 * <p>On standard output it prints one line, {@code FETTLE-READY {json}} or {@code FETTLE-FAILED {json}}; the server's
 * warnings go to standard error. Exit codes: 0 stopped, 2 bad argument, 3 port in use, 4 the server refused a setting,
 * 5 the WAR did not deploy.
 */
public final class Main {
    private static final long STOP_SECONDS = 15;

    private Main() {}

    /** Starts the server and runs until it is told to stop. */
    public static void main(String[] args) {
        Output.quietLogs();
        System.exit(run(args));
    }

    private static int run(String... args) {
        CountDownLatch stop = new CountDownLatch(1);
        Target target;
        try {
            Launch launch = Launch.parse(args);
            target = Target.start(launch);
            if (launch.control() != null) {
                Control.open(target, stop::countDown, launch.control());
            }
            Output.ready(target.ready());
            if (launch.stopOnEof()) {
                Output.atEndOfInput(stop::countDown);
            }
        } catch (LaunchFailure e) {
            return Output.failed(e);
        } catch (IOException e) {
            return Output.failed(LaunchFailure.refused("no control port: " + LaunchFailure.words(e)));
        }
        try {
            stop.await();
            stopInTime(target);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return 0;
    }

    /** A server that does not stop must not keep the process alive. */
    private static void stopInTime(Target target) throws InterruptedException {
        CountDownLatch stopped = new CountDownLatch(1);
        Control.daemon("fettle-stop", () -> {
            try {
                target.stop();
            } catch (Exception e) {
                System.err.println("stopping: " + LaunchFailure.words(e));
            } finally {
                stopped.countDown();
            }
        });
        if (!stopped.await(STOP_SECONDS, TimeUnit.SECONDS)) {
            System.err.println("the server did not stop within " + STOP_SECONDS + " s");
            Runtime.getRuntime().halt(0);
        }
    }
}
