package dev.fettle.servers.app;

import dev.fettle.servers.settings.LaunchFailure;
import dev.fettle.servers.settings.Units;
import java.lang.reflect.InvocationTargetException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The sample applications by name. */
final class Apps {
    static final List<String> NAMES = List.of("hello", "work", "payload", "login", Serving.StaticFile.APP);

    /** Those that can have a session filter before them. */
    private static final List<String> SESSION = List.of("hello", "login");

    private Apps() {}

    static App create(String name, Map<String, String> given) throws LaunchFailure {
        AppOptions options = new AppOptions(given);
        boolean session = SESSION.contains(name) && options.flag("session");
        App app = switch (name) {
            case "hello" -> fixed(App.HTML, "<h1>Hello World</h1>\n".getBytes(StandardCharsets.UTF_8));
            case "payload" -> {
                BodyType type = BodyType.of(options);
                yield fixed(type.contentType(), type.bytes(options.bytes("bytes", 1024)));
            }
            case "work" -> work(options);
            case "login" -> login(options);
            default -> throw LaunchFailure.badArgument("unknown app '" + name + "': one of " + NAMES + " is wanted");
        };
        options.allRead(name);
        return session ? new SessionFilter(app) : app;
    }

    private static App fixed(String contentType, byte[] body) {
        App.Response response = new App.Response(200, contentType, body, Map.of());
        return request -> response;
    }

    private static App work(AppOptions options) throws LaunchFailure {
        Duration cpu = options.duration("cpu", Duration.ZERO);
        Duration wait = options.duration("wait", Duration.ZERO);
        boolean query = options.flag("query");
        int perMilli = options.count("iterations");
        options.allRead("work");
        return new WorkApp(CpuBurner.calibrated(perMilli, query || !cpu.isZero()), cpu, wait, query);
    }

    private static App login(AppOptions options) throws LaunchFailure {
        Duration cpu = options.duration("cpu", LoginApp.DEFAULT_CPU);
        Duration timeout = options.duration("backend.timeout", Duration.ofSeconds(10));
        int perMilli = options.count("iterations");
        String backend = options.text("backend");
        Fault fault = fault(options.text("fault"));
        options.allRead("login");
        int colon = backend == null ? -1 : backend.lastIndexOf(':');
        if (backend == null || colon < 1) {
            throw LaunchFailure.badArgument("app=login needs app.backend=HOST:PORT, the address of a running backend");
        }
        InetSocketAddress address =
                new InetSocketAddress(backend.substring(0, colon), Units.port(backend.substring(colon + 1)));
        return new LoginApp(
                new BackendClient(address, timeout), CpuBurner.calibrated(perMilli, !cpu.isZero()), cpu, fault);
    }

    private static Fault fault(@Nullable String name) throws LaunchFailure {
        if (name == null) {
            return Fault.NONE;
        }
        try {
            return (Fault)
                    Class.forName(Fault.MAKER).getMethod("of", String.class).invoke(null, name);
        } catch (InvocationTargetException e) {
            throw LaunchFailure.badArgument("app.fault=" + name + ": " + LaunchFailure.words(e.getTargetException()));
        } catch (ReflectiveOperationException e) {
            throw LaunchFailure.badArgument("app.fault=" + name + ": the faults are not on the class path");
        }
    }
}
