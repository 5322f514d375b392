package rating;

import groovy.lang.Binding;
import groovy.lang.GroovyShell;
import groovy.lang.Script;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import org.codehaus.groovy.runtime.InvokerHelper;

/** Rates calls by rules that the tariff team writes as scripts. */
public final class RatingRules {

    record Call(int seconds, String zone, boolean peak) {}

    interface RuleEngine {
        Object rate(String rule, Call call);
    }

    private static final Map<String, String> RULES = Map.of(
            "home", "def steps = Math.ceil(seconds / 30.0d)\nreturn peak ? steps * 4 : steps * 2",
            "world", "def minutes = Math.ceil(seconds / 60.0d)\nreturn 15 + minutes * (zone == 'far' ? 90 : 40)",
            "flat", "return seconds > 3600 ? (seconds - 3600) / 60 * 5 : 0");
    private static final List<String> NAMES = List.copyOf(RULES.keySet());
    private static final List<String> ZONES = List.of("near", "far", "home");

    private final RuleEngine engine;

    RatingRules(RuleEngine engine) {
        this.engine = engine;
    }

    void rate(ServerRequest request, ServerResponse response) {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        String rule = NAMES.get(random.nextInt(NAMES.size()));
        Call call = new Call(random.nextInt(7200), ZONES.get(random.nextInt(3)), random.nextBoolean());
        response.send(rule + " " + call.seconds() + "s " + engine.rate(rule, call) + " cents\n");
    }

    private static Binding bind(Call call) {
        Binding binding = new Binding();
        binding.setVariable("seconds", call.seconds());
        binding.setVariable("zone", call.zone());
        binding.setVariable("peak", call.peak());
        return binding;
    }

    static final class ShellEngine implements RuleEngine {
        @Override
        public Object rate(String rule, Call call) {
            return new GroovyShell(bind(call)).evaluate(RULES.get(rule));
        }
    }

    static final class PreparedEngine implements RuleEngine {
        private final Map<String, Class<? extends Script>> prepared = new ConcurrentHashMap<>();

        @Override
        public Object rate(String rule, Call call) {
            Class<? extends Script> script = prepared.computeIfAbsent(
                    rule, name -> new GroovyShell().parse(RULES.get(name)).getClass());
            return InvokerHelper.createScript(script, bind(call)).run();
        }
    }

    public static void main(String[] args) {
        boolean fixed = args.length > 1 && args[1].equals("--fixed");
        RULES.values().forEach(rule -> new GroovyShell().parse(rule)); // a rule that does not compile stops the start
        RatingRules rating = new RatingRules(fixed ? new PreparedEngine() : new ShellEngine());
        WebServer.builder()
                .host("127.0.0.1")
                .port(Integer.parseInt(args[0]))
                .routing(routing -> routing.get("/", rating::rate))
                .build()
                .start();
        System.out.println("ready");
    }
}
