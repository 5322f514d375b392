package dev.fettle.servers.app;

import dev.fettle.servers.settings.LaunchFailure;
import dev.fettle.servers.settings.Units;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/** Burns CPU time, then holds its thread without using the CPU; answers with the result of the burning. */
final class WorkApp implements App {
    private final CpuBurner burner;
    private final Duration cpu;
    private final Duration wait;
    private final boolean byQuery;

    WorkApp(CpuBurner burner, Duration cpu, Duration wait, boolean byQuery) {
        this.burner = burner;
        this.cpu = cpu;
        this.wait = wait;
        this.byQuery = byQuery;
    }

    @Override
    public Response handle(Request request) {
        Duration burning = cpu;
        Duration waiting = wait;
        if (byQuery && !request.query().isEmpty()) {
            Map<String, String> query = Forms.parse(request.query());
            try {
                burning = query.containsKey("cpu") ? Units.duration("cpu", query.getOrDefault("cpu", "")) : cpu;
                waiting = query.containsKey("wait") ? Units.duration("wait", query.getOrDefault("wait", "")) : wait;
            } catch (LaunchFailure e) {
                return Response.of(400, TEXT, e.reason() + "\n");
            }
        }
        long result = CpuBurner.burn(ThreadLocalRandom.current().nextLong(), burner.iterations(burning));
        hold(waiting.toNanos());
        return Response.of(200, TEXT, HexFormat.of().toHexDigits(result) + "\n");
    }

    /** Blocks the thread for at least this long; parking may end early for no reason, hence the loop. */
    static void hold(long nanos) {
        long start = System.nanoTime();
        for (long left = nanos; left > 0; left = nanos - (System.nanoTime() - start)) {
            LockSupport.parkNanos(left);
            if (Thread.interrupted()) {
                return;
            }
        }
    }

    @Override
    public Map<String, Object> facts() {
        return Map.of("iterationsPerMs", burner.iterationsPerMilli());
    }
}
