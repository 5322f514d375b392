package dev.fettle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.config.audit.SettingsText;
import dev.fettle.insight.audit.AuditFinding;
import dev.fettle.insight.audit.Auditor;
import dev.fettle.model.audit.AuditContext;
import dev.fettle.model.audit.AuditRules;
import dev.fettle.model.audit.AuditVerdict.Severity;
import dev.fettle.model.audit.Release;
import dev.fettle.model.audit.SettingKind;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files as they are found in the field, from their text to the verdict: what is gone, ignored, without effect or never read. */
class AuditKindsTest {
    private static List<AuditFinding> audit(String file, String text, String of, String release) throws Exception {
        var releases = new HashMap<>(Map.of(
                "kernel", Release.of("6.18"),
                "jdk", Release.of("25"),
                "tomcat", Release.of("11"),
                "jetty", Release.of("12.1"),
                "spring", Release.of("4.1")));
        if (!of.isEmpty()) {
            releases.put(of, Release.of(release));
        }
        SettingsText read = SettingsText.read(file, text);
        return new Auditor(AuditRules.all(), new AuditContext(releases, Map.of()), List.of())
                .audit(read.settings(), List.of())
                .findings();
    }

    private static List<String> verdicts(List<AuditFinding> all, String name) {
        return all.stream()
                .filter(f -> f.found().name().equals(name))
                .map(f -> f.verdict().id())
                .toList();
    }

    @ParameterizedTest
    @CsvSource({
        "12.1, jetty.port=7874, jetty.port, renamed",
        "12.0, http.timeout=5000, http.timeout, renamed",
        "12.1, jetty.http.timeout=5000, jetty.http.timeout, no-effect",
        "12.1, jetty.threads.max=20, jetty.threads.max, no-effect",
        "12.1, jetty.http.prot=8080, jetty.http.prot, typo",
        "12.1, jetty.keystore=x, jetty.keystore, renamed",
        "9.4, jetty.port=7874, jetty.port, valid",
        "9.4, jetty.http.reusePort=true, jetty.http.reusePort, no-effect",
        "12.1, jetty.http.port=8080, jetty.http.port, valid",
        "12.1, jetty.threadPool.maxThreads=300, jetty.threadPool.maxThreads, situational",
        "12.1, my.own=1, my.own, unknown",
        "12.1, --module=jsp, --module, removed",
        "11, --module=jsp, --module, valid",
        "11, --module=ee11-deploy, --module, fatal",
    })
    void aPropertyOrModuleThatJettyDoesNotHave(String jetty, String line, String name, String verdict)
            throws Exception {
        assertThat(verdicts(audit("start.d/http.ini", line + "\n", "jetty", jetty), name))
                .containsExactly(verdict);
    }

    private static String configured(String inside) {
        return "<Configure id=\"Server\" class=\"org.eclipse.jetty.server.Server\">\n" + inside + "\n</Configure>\n";
    }

    @ParameterizedTest
    @CsvSource({
        "12.1, '<Set name=\"threadPool\"><New class=\"org.eclipse.jetty.util.thread.QueuedThreadPool\"/></Set>', threadPool, fatal",
        "8, '<Set name=\"ThreadPool\"><New class=\"org.eclipse.jetty.util.thread.QueuedThreadPool\"/></Set>', ThreadPool, removed",
        "12.1, '<New class=\"org.eclipse.jetty.server.nio.SelectChannelConnector\"/>', class, fatal",
        "12.1, '<New class=\"org.eclipse.jetty.server.bio.SocketConnector\"/>', class, fatal",
        "12.1, '<New class=\"org.eclipse.jetty.ajp.Ajp13SocketConnector\"/>', class, fatal",
        "12.1, '<New class=\"org.eclipse.jetty.server.handler.HandlerCollection\"/>', class, fatal",
        "12.1, '<New class=\"org.eclipse.jetty.server.ServerConnector\"><Set name=\"idleTimeuot\">1</Set></New>', idleTimeuot, typo",
        "12.1, '<New class=\"org.eclipse.jetty.util.thread.QueuedThreadPool\"><Set name=\"maxQueued\">9</Set></New>', maxQueued, fatal",
    })
    void aClassOrSetterThatJettyDoesNotHave(String jetty, String xml, String name, String verdict) throws Exception {
        assertThat(verdicts(audit("jetty.xml", configured(xml), "jetty", jetty), name))
                .containsExactly(verdict);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<New class=\"org.eclipse.jetty.server.ServerConnector\"><Set name=\"idleTimeout\">30000</Set><Set name=\"port\">8080</Set></New>",
                "<New class=\"org.eclipse.jetty.util.thread.QueuedThreadPool\"><Set name=\"useVirtualThreads\" property=\"jetty.threadPool.useVirtualThreads\"/></New>",
                "<New class=\"my.own.Handler\"><Set name=\"whatever\">1</Set></New>",
                "<Set name=\"stopAtShutdown\">true</Set><Set name=\"dumpAfterStart\">false</Set>",
                "<New class=\"org.eclipse.jetty.server.handler.ContextHandlerCollection\"/>"
            })
    void whatJettyHasIsNotCalledGone(String xml) throws Exception {
        assertThat(audit("jetty.xml", configured(xml), "", ""))
                .noneMatch(f -> f.verdict().severity().atLeast(Severity.WARNING));
    }

    private static String server(String inside) {
        return "<Server port=\"8005\" shutdown=\"X\"><Service name=\"C\">" + inside
                + "<Engine name=\"C\" defaultHost=\"l\"><Host name=\"l\"/></Engine></Service></Server>";
    }

    @ParameterizedTest
    @CsvSource({
        "11, <Listener className=\"org.apache.catalina.core.JasperListener\"/>, Listener.className, fatal",
        "7, <Listener className=\"org.apache.catalina.mbeans.ServerLifecycleListener\"/>, Listener.className, fatal",
        "11, <Listener className=\"org.apache.catalina.core.JreMemoryLeakPreventionListner\"/>, Listener.className, typo",
        "11, <Realm className=\"org.apache.catalina.realm.JDBCRealm\"/>, Realm.className, fatal",
        "11, <Valve className=\"org.apache.catalina.valves.RequestDumperValve\"/>, Valve[RequestDumperValve].className, fatal",
        "11, <Connector port=\"1\" protocol=\"org.apache.coyote.http11.Http11Protocol\"/>, Connector.protocol, fatal",
        "11, <Connector port=\"1\" protocol=\"org.apache.coyote.http11.Http11AprProtocol\"/>, Connector.protocol, fatal",
        "9, <Connector port=\"1\" protocol=\"org.apache.coyote.http11.Http11AprProtocol\"/>, Connector.protocol, situational",
        "11, <Connector port=\"1\" protocol=\"AJP/1.3\"/>, Connector.protocol, fatal",
        "9.0.30, <Connector port=\"1\" protocol=\"AJP/1.3\"/>, Connector.protocol, situational",
        "9.0.31, <Connector port=\"1\" protocol=\"AJP/1.3\"/>, Connector.protocol, fatal",
        "9, <Connector port=\"1\" protocol=\"AJP/1.3\"/>, Connector.protocol, fatal",
        "8.5.50, <Connector port=\"1\" protocol=\"AJP/1.3\"/>, Connector.protocol, situational",
        "11, <Connector port=\"1\" protocol=\"AJP/1.3\" secret=\"s3\"/>, Connector.protocol, situational",
        "11, <Connector port=\"1\" protocol=\"AJP/1.3\" secretRequired=\"false\"/>, Connector.protocol, situational",
        "11, <Connector port=\"1\" protocol=\"AJP/1.3\" secret=\"s3\" maxKeepAliveRequests=\"9\"/>, Connector.maxKeepAliveRequests, no-effect",
        "11, <Connector port=\"1\" secure=\"true\"/>, Connector.secure, wrong",
        "11, <Connector port=\"1\" secure=\"true\" scheme=\"https\"/>, Connector.secure, situational",
        "11, <Connector port=\"1\" secure=\"true\" scheme=\"https\" proxyPort=\"443\"/>, Connector.secure, valid",
        "11, <Connector port=\"1\" secure=\"true\" scheme=\"https\" SSLEnabled=\"true\"/>, Connector.secure, valid",
        "11, <Executor name=\"pool\" maxThreads=\"300\"/><Connector port=\"1\"/>, Executor.maxThreads, no-effect",
        "11, <Executor name=\"pool\" maxThreads=\"300\"/><Connector port=\"1\" executor=\"pool\"/>, Executor.maxThreads, situational",
    })
    void whatTomcatDoesNotHaveOrUse(String tomcat, String xml, String name, String verdict) throws Exception {
        assertThat(verdicts(audit("server.xml", server(xml), "tomcat", tomcat), name))
                .containsExactly(verdict);
    }

    @Test
    void theListOfInnerProxiesReplacesTheDefault() throws Exception {
        String valve = "<Valve className=\"org.apache.catalina.valves.RemoteIpValve\" internalProxies=\"127.0.0.1\"/>";
        assertThat(audit("server.xml", server(valve), "", ""))
                .filteredOn(f -> f.found().name().endsWith("internalProxies"))
                .singleElement()
                .satisfies(f -> assertThat(f.verdict().id()).isEqualTo("situational"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ENTRYPOINT [\"java\",\"-Xms1g -Xmx1g -jar\",\"/app.jar\"] | several options in one argument | fatal",
                "CMD [\"/opt/java/bin/java\", \"-XX:+UseZGC -Xmx1g\", \"-jar\", \"a.jar\"] | several options in one argument | fatal",
                "CMD [\"java\", \"-Da=b -Xmx1g\", \"-jar\", \"a.jar\"] | several options in one argument | wrong",
                "ENTRYPOINT [\"java\",\"$JAVA_OPTS\",\"-jar\",\"a.jar\"] | variable without a shell | fatal",
                "ENV JVM_OPTS=\"-XX:+UseCGroupMemoryLimitForHeap\"~ENTRYPOINT [\"java\",\"-jar\",\"a.jar\"] | -XX:UseCGroupMemoryLimitForHeap | no-effect",
                "ENV JAVA_OPTS=\"-XX:+UseConcMarkSweepGC\"~CMD [\"java\",\"-jar\",\"a.jar\"] | -XX:UseConcMarkSweepGC | no-effect",
                "ENV JAVA_OPTS=\"-XX:+UseConcMarkSweepGC\"~CMD java $JAVA_OPTS -jar a.jar | -XX:UseConcMarkSweepGC | fatal",
                "ENV JAVA_OPTS=\"-XX:+UseConcMarkSweepGC\"~CMD [\"/opt/start.sh\"] | -XX:UseConcMarkSweepGC | fatal",
                "ENV JAVA_TOOL_OPTIONS=\"-XX:+UseConcMarkSweepGC\"~CMD [\"java\",\"-jar\",\"a.jar\"] | -XX:UseConcMarkSweepGC | fatal",
            })
    void anImageThatStartsJava(String lines, String name, String verdict) throws Exception {
        assertThat(verdicts(
                        audit("Dockerfile", "FROM eclipse-temurin:25\n" + lines.replace('~', '\n') + "\n", "", ""),
                        name))
                .containsExactly(verdict);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ENTRYPOINT [\"java\",\"-Xms1g\",\"-Xmx1g\",\"-jar\",\"/app.jar\"]",
                "ENTRYPOINT [\"sh\",\"-c\",\"exec java -Xms1g -Xmx1g -jar /app.jar\"]",
                "ENTRYPOINT [\"java\",\"-Dname=a b c\",\"-jar\",\"/app.jar\"]",
                "ENTRYPOINT [\"java\",\"-XX:OnOutOfMemoryError=kill -15 %p\",\"-jar\",\"/app.jar\"]",
                "ENTRYPOINT java -Xms1g -Xmx1g -jar /app.jar",
                "CMD [\"java\",\"-jar\",\"/app.jar\",\"$HOME -Xmx1g -Xms1g\"]"
            })
    void oneOptionAnArgument(String line) throws Exception {
        assertThat(audit("Dockerfile", "FROM eclipse-temurin:25\n" + line + "\n", "", ""))
                .noneMatch(f -> f.verdict().severity().atLeast(Severity.WARNING));
    }

    private static String pod(String container) {
        return "apiVersion: v1\nkind: Pod\nspec:\n  containers:\n  - name: a\n    image: r.example/a:1\n"
                + container.replace("~", "\n    ").indent(4).replace("\n        ", "\n    ");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "command: [java, '-Xms1g -Xmx1g', -jar, a.jar] | several options in one argument | fatal",
                "args: ['-Xms1g -Xmx1g'] | several options in one argument | fatal",
                "command: [java, -jar, a.jar]~env: [{name: JVM_OPTS, value: -XX:+UseCGroupMemoryLimitForHeap}] | -XX:UseCGroupMemoryLimitForHeap | no-effect",
                "env: [{name: JVM_OPTS, value: -XX:+UseCGroupMemoryLimitForHeap}] | -XX:UseCGroupMemoryLimitForHeap | no-effect",
                "env: [{name: JAVA_TOOL_OPTIONS, value: -XX:+UseCGroupMemoryLimitForHeap}] | -XX:UseCGroupMemoryLimitForHeap | fatal",
                "command: [sh, -c, java $JVM_OPTS -jar a.jar]~env: [{name: JVM_OPTS, value: -XX:+UseCGroupMemoryLimitForHeap}] | -XX:UseCGroupMemoryLimitForHeap | fatal",
                "env: [{name: M, valueFrom: {resourceFieldRef: {resource: limits.memory}}}, {name: JAVA_TOOL_OPTIONS, value: -Xmx$(M)}] | -Xmx | dangerous",
                "env: [{name: M, valueFrom: {resourceFieldRef: {resource: requests.memory}}}, {name: JAVA_TOOL_OPTIONS, value: -Xmx$(M)}] | -Xmx | situational",
                "command: [java, -jar, a.jar]~resources: {limits: {memory: 512Mi}} | memory | situational",
            })
    void aContainerThatStartsJava(String container, String name, String verdict) throws Exception {
        assertThat(verdicts(audit("pod.yaml", pod(container), "", ""), name)).containsExactly(verdict);
    }

    private static String compose(String service) {
        return "services:\n  a:\n    image: r.example/a:1\n    " + service.replace("~", "\n    ") + "\n";
    }

    /** Compose puts its caller's variables in the place of {@code $NAME}; the container's are {@code $$NAME}, to a shell. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "command: java $JAVA_OPTS -jar a.jar~environment: {JAVA_OPTS: -XX:+UseParNewGC} | -XX:UseParNewGC | no-effect",
                "entrypoint: [sh, -c, 'java ${JAVA_OPTS} -jar a.jar']~environment: [JAVA_OPTS=-XX:+UseParNewGC] | -XX:UseParNewGC | no-effect",
                "entrypoint: [sh, -c, 'java $$JAVA_OPTS -jar a.jar']~environment: {JAVA_OPTS: -XX:+UseParNewGC} | -XX:UseParNewGC | fatal",
                "command: sh -c \"java $${JAVA_OPTS} -jar a.jar\"~environment: {JAVA_OPTS: -XX:+UseParNewGC} | -XX:UseParNewGC | fatal",
                "command: java -jar a.jar~environment: {JAVA_TOOL_OPTIONS: -XX:+UseParNewGC} | -XX:UseParNewGC | fatal",
            })
    void aServiceOfComposeThatStartsJava(String service, String name, String verdict) throws Exception {
        assertThat(verdicts(audit("compose.yaml", compose(service), "", ""), name))
                .containsExactly(verdict);
    }

    /** As Spring Boot binds them: dashes are left out, or underscores. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "environment: {SERVER_TOMCAT_MAX_THREADS: 300} | server.tomcat.max-threads | removed",
                "environment: [SERVER_TOMCAT_MAXTHREADS=300] | server.tomcat.max-threads | removed",
                "environment: {SERVER_TOMCAT_THREADS_MAX: 300} | server.tomcat.threads.max | situational",
                "environment: {SPRING_REDIS_HOST: r} | spring.redis.host | removed",
                "environment: {MANAGEMENT_METRICS_EXPORT_PROMETHEUS_ENABLED: 'true'} | management.metrics.export.prometheus.enabled | renamed",
            })
    void aVariableThatSetsAPropertyOfSpring(String service, String name, String verdict) throws Exception {
        assertThat(verdicts(audit("compose.yaml", compose(service), "", ""), name))
                .containsExactly(verdict);
        String pod = service.replaceFirst(".*[{\\[](\\w+)[:=] ?'?(\\w+).*", "env: [{name: $1, value: '$2'}]");
        assertThat(verdicts(audit("pod.yaml", pod(pod), "", ""), name)).containsExactly(verdict);
    }

    @Test
    void aVariableOfAnotherProgramIsNone() throws Exception {
        assertThat(audit(
                        "compose.yaml",
                        compose("environment: {SERVER_PORT: 80, SERVER_NAME: x, MAX_THREADS: 5}"),
                        "",
                        ""))
                .noneMatch(f -> f.found().kind() == SettingKind.SPRING);
    }

    /** A name of an older release is no advice. */
    @ParameterizedTest
    @CsvSource({"jetty.timeout=5, jetty.http.idleTimeout", "jetty.http.prot=8080, jetty.http.port"})
    void whatIsMeantIsNamedAsItIsToday(String line, String instead) throws Exception {
        assertThat(audit("start.d/http.ini", line + "\n", "jetty", "12.1"))
                .singleElement()
                .satisfies(f -> assertThat(f.instead()).isEqualTo(instead));
    }

    private static String nginx(String inside) {
        return "events {}\nhttp {\n" + inside + "\n}\n";
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "upstream my-service { server a:1; } server { location / { proxy_pass http://my_service; } } | fatal",
                "upstream backend { server a:1; } server { location / { proxy_pass http://backnd/; } } | fatal",
                "upstream backend { server a:1; } server { location / { proxy_pass http://backend; } } | situational",
                "upstream backend { server a:1; keepalive 8; } server { location / { proxy_pass http://backend; } } | unknown",
                "upstream backend { server a:1; keepalive 8; } server { location / { proxy_pass http://app:8080; } } | unknown",
                "upstream backend { server a:1; keepalive 8; } server { location / { proxy_pass http://$backend; } } | unknown",
            })
    void aGroupOfServersAndItsName(String inside, String verdict) throws Exception {
        assertThat(verdicts(audit("nginx.conf", nginx(inside), "", ""), "proxy_pass"))
                .containsExactly(verdict);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "-XX:-HeapDumpOnOutOfMemoryError -XX:HeapDumpPath=/d | -XX:HeapDumpPath | no-effect",
                "-XX:HeapDumpPath=/d | -XX:HeapDumpPath | no-effect",
                "-XX:+HeapDumpOnOutOfMemoryError -XX:HeapDumpPath=/d | -XX:HeapDumpPath | valid",
                "-XX:+DisableExplicitGC -XX:+ExplicitGCInvokesConcurrent | -XX:ExplicitGCInvokesConcurrent | no-effect",
                "-XX:-DisableExplicitGC -XX:+ExplicitGCInvokesConcurrent | -XX:ExplicitGCInvokesConcurrent | valid",
                "-Djava.locale.providers=JRE,COMPAT | -Djava.locale.providers | removed",
                "-Djava.locale.providers=CLDR,SPI | -Djava.locale.providers | valid",
                "-XX:+UseZGC -XX:MaxGCPauseMillis=100 | -XX:MaxGCPauseMillis | no-effect",
                "-XX:+UseSerialGC -XX:G1HeapRegionSize=8m | -XX:G1HeapRegionSize | no-effect",
                "-XX:+UseG1GC -XX:G1HeapRegionSize=8m | -XX:G1HeapRegionSize | situational",
            })
    void aSwitchThatMakesAnotherOptionUseless(String line, String name, String verdict) throws Exception {
        assertThat(verdicts(audit("jvm.options", line + "\n", "", ""), name)).containsExactly(verdict);
    }

    @ParameterizedTest
    @CsvSource({
        "fs.file-nr = 2944 0 2037581",
        "kernel.random.entropy_avail = 256",
        "net.ipv4.tcp_available_congestion_control = bbr"
    })
    void aReadingIsNoSetting(String line) throws Exception {
        assertThat(audit("sysctl.conf", line + "\n", "", ""))
                .singleElement()
                .satisfies(f -> assertThat(f.verdict().id()).isEqualTo("wrong"));
    }

    @ParameterizedTest
    @CsvSource({
        "3.0, spring.redis.url, renamed",
        "2.7, spring.redis.url, unknown",
        "4.1, spring.mvc.date-format, removed",
        "4.1, spring.data.redis.host, unknown",
    })
    void aPropertyThatBootIgnores(String spring, String name, String verdict) throws Exception {
        assertThat(verdicts(audit("application.properties", name + "=x\n", "spring", spring), name))
                .containsExactly(verdict);
    }

    /** What follows from a file's own settings comes before remarks on images. */
    @Test
    void whatMattersComesBeforeTheImages() throws Exception {
        String text =
                "services:\n  a:\n    image: redis\n  b:\n    image: postgres\n  c:\n    image: my/app:1\n    command: java -jar a.jar\n"
                        + "    deploy: {resources: {limits: {memory: 512M}}}\n";
        List<AuditFinding> all = audit("compose.yaml", text, "", "");
        assertThat(all.getFirst().found().name()).isEqualTo("memory");
        assertThat(all.getFirst().why()).contains("128 MiB").contains("serial");
    }
}
