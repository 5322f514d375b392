package dev.fettle.config.jetty;

import dev.fettle.model.knob.Knob;
import dev.fettle.model.knob.Knobs;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import java.util.List;
import java.util.function.Predicate;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;

/** Configuration files of several tastes, and random settings. */
public final class Samples {
    private Samples() {}

    /** As Tomcat ships it, but for most of its comments. */
    public static final String SHIPPED = """
            <?xml version="1.0" encoding="UTF-8"?>
            <!-- Note:  A "Server" is not itself a "Container" -->
            <Server port="8005" shutdown="SHUTDOWN">
              <Listener className="org.apache.catalina.startup.VersionLoggerListener" />
              <GlobalNamingResources>
                <Resource name="UserDatabase" auth="Container"
                          pathname="conf/tomcat-users.xml" />
              </GlobalNamingResources>

              <Service name="Catalina">
                <!--
                <Executor name="tomcatThreadPool" namePrefix="catalina-exec-"
                    maxThreads="150" minSpareThreads="4"/>
                -->

                <Connector port="8080" protocol="HTTP/1.1"
                           connectionTimeout="20000"
                           redirectPort="8443" />
                <!-- A "Connector" using the shared thread pool
                <Connector executor="tomcatThreadPool" port="8080" />
                -->
                <Engine name="Catalina" defaultHost="localhost">
                  <Realm className="org.apache.catalina.realm.LockOutRealm"/>

                  <Host name="localhost"  appBase="webapps"
                        unpackWARs="true" autoDeploy="true">
                    <Valve className="org.apache.catalina.valves.AccessLogValve" directory="logs"
                           prefix="localhost_access_log" suffix=".txt"
                           pattern="%h %l %u %t &quot;%r&quot; %s %b" />
                  </Host>
                </Engine>
              </Service>
            </Server>
            """;

    /** An Executor, single quotes, Windows line ends, other Connectors, a Connector with children. */
    public static final String EXECUTOR = """
            <Server port='8005' portOffset="100">
              <Service name='s'>
                <Executor name='pool' maxThreads='150' minSpareThreads="4"/>
                <Connector port='8443' SSLEnabled='true' maxThreads='9'><SSLHostConfig/></Connector>
                <Connector port='8080' executor='pool'
                  acceptCount='10'
                >
                  <!-- h2c -->
                  <UpgradeProtocol className="org.apache.coyote.http2.Http2Protocol" maxConcurrentStreams="50" />
                </Connector>
                <Connector protocol="AJP/1.3" port="8009" secretRequired="false"/>
                <Engine name="E" defaultHost="h">
                  <Cluster className="org.apache.catalina.ha.tcp.SimpleTcpCluster"/>
                  <Host name="other" appBase="x"/>
                  <Host name="h" appBase="apps"><Context path="/a" docBase="/srv/a"/></Host>
                </Engine>
              </Service>
            </Server>""".replace("\n", "\r\n");

    /** As short as it gets. */
    static final String COMPACT =
            "\uFEFF<Server><Service><Connector/><Engine><Host name=\"l\"/></Engine></Service></Server>";

    public static Arbitrary<String> serverXmls() {
        return Arbitraries.of(SHIPPED, EXECUTOR, COMPACT);
    }

    static final List<IniFile> NO_INIS = List.of();

    static final List<IniFile> INIS = List.of(
            new IniFile("start.d/zz.ini", "jetty.threadPool.maxThreads=77\njetty.http.idleTimeout=1000"),
            new IniFile("start.ini", """
                    # modules first
                    --modules=http,https,compression-gzip
                    --module=http2c
                    -Xmx512m
                    --exec
                    jetty.http.port=8080
                    jetty.threadpool.maxthreads = 50
                    STOP.PORT=8079
                    jetty.http2c.maxConcurrentStreams?=64
                    """),
            new IniFile(
                    "start.d/http.ini", "--module=http\r\n## jetty.http.acceptors=1\r\njetty.http.selectors=-1\r\n"));

    public static Arbitrary<List<IniFile>> inis() {
        return Arbitraries.of(NO_INIS, INIS);
    }

    /** Values within the range of a knob, canonical. */
    static Arbitrary<String> value(Knob knob) {
        return switch (knob.type()) {
            case INT, DURATION, SIZE ->
                Arbitraries.longs().between(knob.least(), knob.max()).map(knob::text);
            case BOOL, ENUM -> Arbitraries.of(knob.choices());
            case JDK -> Arbitraries.of("17", "/opt/jdk");
            case TEXT, FLAGS -> Arbitraries.of("text/html,text/css", "a\"b'c<d>&e");
        };
    }

    /** Some of the knobs, each at some value. */
    public static Arbitrary<Setting> settings(Predicate<Knob> wanted) {
        List<Knob> knobs = Knobs.all().stream().filter(wanted).toList();
        return Arbitraries.of(knobs)
                .set()
                .ofMaxSize(12)
                .flatMap(some -> some.stream()
                        .map(k -> value(k).map(v -> Setting.of(k.name(), v)))
                        .reduce(Arbitraries.just(Setting.DEFAULT), (all, one) -> all.flatMap(a -> one.map(a::with))));
    }

    /** A setting that a file can say: what belongs to a switch goes with the switch. */
    public static Setting withSwitches(Setting setting, ServerKind server) {
        Setting out = setting;
        for (String name : setting.values().keySet()) {
            for (var need : Knobs.find(name).orElseThrow().needs().entrySet()) {
                boolean there =
                        Knobs.find(need.getKey()).orElseThrow().on(server).applies();
                if (there && need.getValue().equals("true")) {
                    out = out.with(need.getKey(), "true");
                }
            }
        }
        return out;
    }
}
