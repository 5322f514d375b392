package dev.fettle.lab.launch;

import dev.fettle.config.ConfigException;
import dev.fettle.config.KeyStoreFile;
import dev.fettle.config.tomcat.PrivateServerXml;
import dev.fettle.config.tomcat.Setenv;
import dev.fettle.config.tomcat.TomcatXml;
import dev.fettle.lab.machine.Folders;
import dev.fettle.lab.machine.LabException;
import dev.fettle.lab.machine.TrialFailure;
import dev.fettle.model.target.Target;
import dev.fettle.model.trial.TrialOutcome.Kind;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Creates a private CATALINA_BASE: the configuration of the user's base (or of the distribution) with the setting on top, and
 * the trial's web applications. Starts it as catalina.sh would, without a shell.
 */
final class TomcatBase {
    private static final String CONF = "conf";
    private static final String WEBAPPS = "webapps";
    private static final Pattern JDK_OPTION = Pattern.compile(
            "(JDK_JAVA_OPTIONS|JAVA_OPTS)=\"\\$\\1 (--(?:add-opens|enable-native-access)=[\\w.,/=-]+)\"");

    private final PrivateServer wanted;
    private final Path home;
    private final Path original;
    private final Path base;
    private final List<String> notes = new ArrayList<>();
    private final Map<String, String> facts = new TreeMap<>();

    private TomcatBase(PrivateServer wanted) {
        this.wanted = wanted;
        this.home = wanted.distribution().home();
        this.original = wanted.original();
        this.base = wanted.base();
    }

    /**
     * Creates it.
     *
     * @throws TrialFailure IMPOSSIBLE_SETTING if the configuration can't take the setting
     * @throws LabException if there is no configuration to start from
     */
    static PreparedServer prepare(PrivateServer wanted) throws TrialFailure, LabException {
        try {
            return new TomcatBase(wanted).prepare();
        } catch (IOException e) {
            throw new LabException("cannot make a private CATALINA_BASE in " + wanted.folder() + ": " + e, e);
        }
    }

    private PreparedServer prepare() throws IOException, TrialFailure, LabException {
        Folders.keepPrivate(base);
        for (String folder : List.of("logs", "temp", "work", WEBAPPS)) {
            Folders.make(base.resolve(folder));
        }
        PrivateServerXml xml = configuration();
        deploy(xml);
        for (String folder : List.of("lib", "shared")) {
            Path there = original.resolve(folder);
            if (!original.equals(home) && Files.isDirectory(there)) {
                Files.createSymbolicLink(base.resolve(folder), there.toRealPath());
            }
        }
        Setenv setenv = setenv();
        notes.addAll(setenv.findings());
        return new PreparedServer(
                command(setenv),
                List.of(),
                setenv.environment(),
                facts,
                notes,
                new DeployLog(List.of(base.resolve("logs"), wanted.folder().resolve("target.log"))),
                List.of(base.resolve(WEBAPPS), base.resolve("work"), base.resolve("temp")));
    }

    /** Copies the configuration and puts the setting and the trial's port into server.xml. */
    private PrivateServerXml configuration() throws IOException, TrialFailure, LabException {
        Path from = original.resolve(CONF);
        OwnFiles.ServerXml own = OwnFiles.serverXml(original);
        TomcatXml read = own.xml();
        Charset charset = own.charset();
        notes.addAll(read.findings());
        facts.put("configured", read.setting().toString());
        read.executor().ifPresent(e -> facts.put("executor", e));
        boolean deploys = wanted.target().war().isPresent();
        PrivateServerXml xml;
        try {
            String with = read.with(wanted.setting());
            Path takeOver = wanted.folder().resolve("server.xml");
            Folders.writePrivate(takeOver, with.getBytes(charset));
            xml = TomcatXml.read(read.name(), with)
                    .privately(
                            wanted.port(),
                            deploys,
                            wanted.key().map(k -> new KeyStoreFile(k.keystore().toString(), k.password())));
        } catch (ConfigException e) {
            throw new TrialFailure(Kind.IMPOSSIBLE_SETTING, String.valueOf(e.getMessage()));
        }
        notes.addAll(xml.notes());
        Path descriptors = from.resolve(xml.engine()).resolve(xml.host());
        Folders.copy(from, base.resolve(CONF), f -> !(deploys && f.startsWith(descriptors)));
        Folders.writePrivate(
                base.resolve(CONF).resolve("server.xml"), xml.text().getBytes(charset));
        return xml;
    }

    /** Puts the trial's web application, or else those of the user's base, into the private base. */
    private void deploy(PrivateServerXml xml) throws IOException, LabException {
        Path apps = base.resolve(WEBAPPS);
        Optional<String> war = wanted.target().war();
        if (war.isEmpty()) {
            Path all = original.resolve(xml.appBase());
            if (!Files.isDirectory(all)) {
                throw new LabException(all + ", the appBase of server.xml, is no folder");
            }
            Folders.delete(apps);
            Folders.copy(all, apps);
            facts.put("deployed", all.toString());
            return;
        }
        String context = wanted.target().context();
        String name = context.equals("/") ? "ROOT" : context.substring(1).replace('/', '#');
        Path from;
        if (war.get().equals(Target.Standalone.EXAMPLES)) {
            from = home.resolve(WEBAPPS).resolve("examples");
            if (!Files.isDirectory(from)) {
                throw new LabException(home + " has no webapps/examples: not every distribution ships them");
            }
        } else {
            from = Path.of(war.get());
        }
        Folders.copy(from, apps.resolve(Files.isDirectory(from) ? name : name + ".war"));
        facts.put("deployed", from.getFileName() + " at " + context);
    }

    /** The user's setenv.sh: from the base, or else the home, as in catalina.sh. */
    private Setenv setenv() throws IOException {
        return OwnFiles.setenv(
                List.of(original, home), Map.of("CATALINA_HOME", home.toString(), "CATALINA_BASE", base.toString()));
    }

    private List<String> command(Setenv setenv) throws IOException {
        var command = new ArrayList<String>();
        command.add(wanted.java().toString());
        Path logging = base.resolve(CONF).resolve("logging.properties");
        if (Files.isReadable(logging)) {
            command.add("-Djava.util.logging.config.file=" + logging);
        }
        command.add("-Djava.util.logging.manager=org.apache.juli.ClassLoaderLogManager");
        command.addAll(ofCatalina());
        command.addAll(wanted.flags(setenv.flags()));
        Path juli = original.resolve("bin/tomcat-juli.jar");
        command.add("-classpath");
        command.add(home.resolve("bin/bootstrap.jar") + ":"
                + (Files.isReadable(juli) ? juli : home.resolve("bin/tomcat-juli.jar")));
        command.add("-Dcatalina.base=" + base);
        command.add("-Dcatalina.home=" + home);
        command.add("-Djava.io.tmpdir=" + base.resolve("temp"));
        // otherwise Tomcat would run on without its port
        command.add("-Dorg.apache.catalina.startup.EXIT_ON_INIT_FAILURE=true");
        command.add("org.apache.catalina.startup.Bootstrap");
        command.add("start");
        return command;
    }

    /** The {@code --add-opens} flags of this version's catalina.sh. */
    private List<String> ofCatalina() throws IOException {
        Path script = home.resolve("bin/catalina.sh");
        var options = new ArrayList<String>();
        if (Files.isReadable(script)) {
            Matcher m = JDK_OPTION.matcher(Files.readString(script));
            while (m.find()) {
                options.add(m.group(2));
            }
        }
        return options;
    }
}
