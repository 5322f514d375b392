package dev.fettle.lab.fake;

import dev.fettle.lab.agents.Plain;
import dev.fettle.lab.port.LiveSettings;
import dev.fettle.lab.port.LoadPort;
import dev.fettle.lab.port.TargetHandle;
import dev.fettle.lab.port.TargetPort;
import dev.fettle.lab.port.WatchPort;
import dev.fettle.load.LoadRun;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A {@link Site} behind a pipe: each call of a port is a message to another process and its answer, and both are plain data. Only targets,
 * loads and watches have numbers there, by which they are named.
 */
public final class OtherProcess {
    private static final Set<Class<?>> NAMED = Set.of(
            Site.class,
            dev.fettle.lab.machine.Clock.class,
            TargetPort.class,
            LoadPort.class,
            TargetHandle.class,
            LoadRun.class,
            WatchPort.class,
            LiveSettings.class);

    private OtherProcess() {}

    /** The other side: {@code OtherProcess PHASE STEP CODE}; the first server dies there. */
    public static void main(String[] args) throws Exception {
        var dies = new FakeServer()
                .at(Phase.valueOf(args[0]), Integer.parseInt(args[1]), s -> s.dies(Integer.parseInt(args[2])));
        var pipe = new FileOutputStream(FileDescriptor.out);
        System.setOut(System.err);
        serve(new FakeLab((n, _) -> n == 1 ? dies : new FakeServer()), System.in, pipe);
    }

    private static void serve(Site site, InputStream from, OutputStream to) throws IOException {
        var in = new DataInputStream(new BufferedInputStream(from));
        var out = new DataOutputStream(new BufferedOutputStream(to, 1 << 16));
        var named = new ArrayList<Object>(List.of(site));
        while (true) {
            Object object;
            try {
                object = named.get(in.readInt());
            } catch (EOFException e) {
                return;
            }
            var type = type(in.readUTF());
            String name = in.readUTF();
            List<?> arguments = (List<?>) Plain.read(in);
            Object answer;
            try {
                Method method = method(type, name, arguments.size());
                Object value = method.invoke(object, arguments.toArray());
                answer = value == null
                        ? ""
                        : value instanceof Optional<?> o
                                        && o.filter(OtherProcess::isNamed).isPresent()
                                ? Optional.of(handle(named, o.get()))
                                : isNamed(value) ? handle(named, value) : value;
            } catch (InvocationTargetException e) {
                answer = e.getCause();
            } catch (ReflectiveOperationException e) {
                answer = e;
            }
            Plain.write(out, answer);
            out.flush();
        }
    }

    private static boolean isNamed(Object value) {
        return NAMED.stream().anyMatch(t -> t.isInstance(value));
    }

    private static Plain.Handle handle(List<Object> named, Object value) {
        Class<?> type =
                NAMED.stream().filter(t -> t.isInstance(value)).findFirst().orElseThrow();
        named.add(value);
        return new Plain.Handle(named.size() - 1, type.getName());
    }

    private static Class<?> type(String name) {
        return NAMED.stream().filter(t -> t.getName().equals(name)).findFirst().orElseThrow();
    }

    private static Method method(Class<?> type, String name, int arguments) {
        return Arrays.stream(type.getMethods())
                .filter(m -> m.getName().equals(name) && m.getParameterCount() == arguments)
                .findFirst()
                .orElseThrow();
    }

    /** This side. */
    public static Site at(Process process) {
        return new Caller(
                        new DataInputStream(new BufferedInputStream(process.getInputStream())),
                        new DataOutputStream(new BufferedOutputStream(process.getOutputStream(), 1 << 16)))
                .named(Site.class, 0);
    }

    private record Caller(DataInputStream in, DataOutputStream out) {
        <T> T named(Class<T> type, int id) {
            InvocationHandler handler = (proxy, method, arguments) -> {
                if (method.getDeclaringClass() == Object.class) {
                    return switch (method.getName()) {
                        case "hashCode" -> id;
                        case "equals" -> proxy == arguments[0];
                        default -> type.getSimpleName() + " " + id;
                    };
                }
                return method.isDefault()
                        ? InvocationHandler.invokeDefault(proxy, method, arguments)
                        : call(type, id, method, arguments == null ? List.of() : Arrays.asList(arguments));
            };
            return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
        }

        private Object call(Class<?> type, int id, Method method, List<Object> arguments) throws Exception {
            out.writeInt(id);
            out.writeUTF(type.getName());
            out.writeUTF(method.getName());
            Plain.write(out, arguments);
            out.flush();
            Object answer = Plain.read(in);
            if (answer instanceof Exception e) {
                throw e;
            }
            if (method.getReturnType() == void.class) {
                return null;
            }
            return answer instanceof Optional<?> o && o.orElse(null) instanceof Plain.Handle h
                    ? Optional.of(named(type(h.type()), h.id()))
                    : answer instanceof Plain.Handle h ? named(type(h.type()), h.id()) : answer;
        }
    }
}
