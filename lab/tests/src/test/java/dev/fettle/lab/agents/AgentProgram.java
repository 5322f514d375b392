package dev.fettle.lab.agents;

import dev.fettle.lab.engine.LocalLoad;
import dev.fettle.lab.machine.Clock;
import dev.fettle.load.JitCompilers;
import java.io.FileDescriptor;
import java.io.FileOutputStream;

/** An agent as a process of its own, as ssh would start it. */
public final class AgentProgram {
    static final int SILENT = 77;

    private AgentProgram() {}

    public static void main(String[] args) {
        new AgentSide(
                        Clock.SYSTEM,
                        new LocalLoad(),
                        JitCompilers::workedNanos,
                        System.in,
                        new FileOutputStream(FileDescriptor.out),
                        () -> Runtime.getRuntime().halt(SILENT))
                .serve();
    }
}
