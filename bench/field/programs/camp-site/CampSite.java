package camps;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;

/** Tells booking portals which pitches of a camp site are free. */
public final class CampSite extends HttpServlet {

    record Pitch(int number, int squareMetres, boolean shade) {}

    private final boolean lean;

    CampSite(boolean lean) {
        this.lean = lean;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        int week = ThreadLocalRandom.current().nextInt(52);
        List<Pitch> free = preferred(request, pitches(week));
        PrintWriter out = response.getWriter();
        out.println("week " + week + ": " + free.size() + " pitches");
        for (int i = 0; i < Math.min(5, free.size()); i++) {
            Pitch pitch = free.get(i);
            out.println(pitch.number() + " " + pitch.squareMetres() + (pitch.shade() ? " shade" : ""));
        }
    }

    private static List<Pitch> pitches(int week) {
        List<Pitch> free = new ArrayList<>();
        for (int number = 0; number < 400; number++) {
            if ((number * 31 + week * 17) % 3 != 0) {
                free.add(new Pitch(number, 60 + number % 50, number % 4 == 0));
            }
        }
        return free;
    }

    /** Those that the guest looked at before come first. */
    @SuppressWarnings("unchecked")
    private List<Pitch> preferred(HttpServletRequest request, List<Pitch> free) {
        HttpSession session = request.getSession(!lean);
        if (session == null) {
            return free;
        }
        List<Pitch> before = (List<Pitch>) session.getAttribute("looked-at");
        session.setAttribute("looked-at", free);
        if (before == null) {
            return free;
        }
        List<Pitch> sorted = new ArrayList<>(free);
        sorted.sort((a, b) -> Boolean.compare(before.contains(b), before.contains(a)));
        return sorted;
    }

    public static void main(String[] args) throws Exception {
        boolean fixed = args.length > 1 && args[1].equals("--fixed");
        Tomcat tomcat = new Tomcat();
        File base = Files.createTempDirectory("camps").toFile();
        tomcat.setBaseDir(base.getPath());
        tomcat.setHostname("127.0.0.1");
        tomcat.setPort(Integer.parseInt(args[0]));
        tomcat.getConnector().setProperty("address", "127.0.0.1");
        tomcat.getConnector().setProperty("maxThreads", "30");
        Context context = tomcat.addContext("", base.getPath());
        Tomcat.addServlet(context, "camps", new CampSite(fixed));
        context.addServletMappingDecoded("/", "camps");
        tomcat.start();
        System.out.println("ready");
        tomcat.getServer().await();
    }
}
