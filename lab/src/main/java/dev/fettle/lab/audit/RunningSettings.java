package dev.fettle.lab.audit;

import dev.fettle.config.ConfigException;
import dev.fettle.config.audit.SettingsText;
import dev.fettle.config.render.ConfigPlace;
import dev.fettle.lab.machine.LabException;
import dev.fettle.model.audit.FoundSetting;
import dev.fettle.model.audit.FoundSetting.Place;
import dev.fettle.model.audit.SettingKind;
import dev.fettle.model.knob.Knobs;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.watch.host.ListenOwner;
import dev.fettle.watch.host.ListenQueue;
import dev.fettle.watch.host.Proc;
import dev.fettle.watch.jvm.RunningJvm;
import dev.fettle.watch.jvm.ServerBeans;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** The settings of a running JVM: its options, its limits, the server's MBeans, and the queues of its listening sockets. */
final class RunningSettings {
    private final Proc proc;
    private final long pid;
    private final String where;
    private final List<FoundSetting> found;
    private final List<String> notes;

    RunningSettings(Proc proc, long pid, List<FoundSetting> found, List<String> notes) {
        this.proc = proc;
        this.pid = pid;
        this.where = "process " + pid;
        this.found = found;
        this.notes = notes;
    }

    /** Adds what is found; returns the release of its Java. */
    int read() throws LabException, InterruptedException {
        try (RunningJvm jvm = RunningJvm.attach(pid)) {
            SettingsText text = SettingsText.read(where + ".options", String.join("\n", jvm.options()));
            for (FoundSetting f : text.settings()) {
                found.add(new FoundSetting(f.kind(), f.name(), f.value(), new Place(where, 0), f.scope()));
            }
            HostSettings.limits(proc, Long.toString(pid), where, found);
            for (int port : new ListenOwner().ports(pid)) {
                port(jvm, port);
            }
            return jvm.feature();
        } catch (IOException e) {
            throw new LabException("cannot read the settings of process " + pid + ": " + e.getMessage(), e);
        } catch (ConfigException e) {
            throw new LabException(String.valueOf(e.getMessage()), e);
        }
    }

    private void port(RunningJvm jvm, int port) throws IOException, InterruptedException {
        String at = where + ", port " + port;
        OptionalInt queue = ListenQueue.of(pid, port).limit();
        queue.ifPresent(n -> found.add(new FoundSetting(
                SettingKind.HOST, "backlog of the socket", Integer.toString(n), new Place(at, 0), "live")));
        Optional<ServerBeans> beans = ServerBeans.of(jvm, port);
        if (beans.isEmpty()) {
            notes.add("port " + port + " of process " + pid + ": no settings of a server, it has registered no MBeans");
            return;
        }
        ServerKind server = beans.get().server();
        beans.get()
                .read()
                .forEach((knob, value) -> Knobs.find(knob)
                        .flatMap(ConfigPlace.config(server)::audited)
                        .ifPresent(a -> found.add(new FoundSetting(
                                a.kind(),
                                a.name(),
                                Knobs.find(knob)
                                        .map(k -> k.written(server, value))
                                        .orElse(value),
                                new Place(at, 0),
                                "live"))));
    }
}
