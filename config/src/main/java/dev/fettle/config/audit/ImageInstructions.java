package dev.fettle.config.audit;

import dev.fettle.model.audit.FoundSetting;
import dev.fettle.model.audit.SettingKind;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The last stage of a Dockerfile: what its image starts, and which of its environment variables are read. */
final class ImageInstructions {
    private static final Pattern HEAD = Pattern.compile("(?i)^\\s*(FROM|ENV|ENTRYPOINT|CMD)\\s+(.*)", Pattern.DOTALL);
    /** A variable in front of an option. */
    private static final Pattern NAME = Pattern.compile("(?:^|[\\s\\\\])([A-Za-z_]\\w{0,80})(?:=|\\s+(?=[\"'-]))");

    private record Instruction(String name, int start, int end) {}

    private ImageInstructions() {}

    /**
     * Adds what is wrong with the arguments, and gives options in variables that nothing reads a scope of their own.
     *
     * @param first index of the first setting that was found in the lines
     */
    static void of(Source in, int first, String scope) {
        List<Instruction> stage = lastStage(in);
        Launch launch = launch(in, stage);
        for (int k = first; k < in.found().size(); k++) {
            FoundSetting f = in.found().get(k);
            Instruction i = stage.stream()
                    .filter(s -> s.start() <= f.place().start() && f.place().start() < s.end())
                    .findFirst()
                    .orElse(null);
            if (f.kind() == SettingKind.JVM && i != null && i.name().equals("ENV")) {
                String variable =
                        variable(in.text().substring(i.start(), f.place().start()));
                in.found()
                        .set(
                                k,
                                new FoundSetting(
                                        f.kind(), f.name(), f.value(), f.place(), launch.scope(variable, f.scope())));
            }
        }
        // the arguments are read anew, one by one
        in.found()
                .removeIf(f -> f.kind() == SettingKind.JVM
                        && launch.words().stream()
                                .anyMatch(w -> w.start() <= f.place().start()
                                        && f.place().start() < w.end()));
        launch.read(in, scope, true);
    }

    private static String variable(String before) {
        String name = "";
        Matcher m = NAME.matcher(before);
        while (m.find()) {
            name = m.group(1);
        }
        return name;
    }

    private static Launch launch(Source in, List<Instruction> stage) {
        var words = new ArrayList<Launch.Word>();
        boolean whole = false;
        String image = "";
        for (Instruction i : stage) {
            if (i.name().equals("FROM")) {
                image = in.text().substring(i.start(), i.end()).strip().split("\\s+", 2)[0];
            }
        }
        for (String name : List.of("ENTRYPOINT", "CMD")) {
            Instruction last = stage.stream()
                    .filter(i -> i.name().equals(name))
                    .reduce((a, b) -> b)
                    .orElse(null);
            if (last == null) {
                continue;
            }
            List<Launch.Word> array = Launch.array(in.text(), last.start(), last.end());
            if (array.isEmpty()) {
                words.add(new Launch.Word("sh", last.start(), last.start()));
                words.add(new Launch.Word("-c", last.start(), last.start()));
                words.add(new Launch.Word(in.text().substring(last.start(), last.end()), last.start(), last.end()));
                return new Launch(image, words, true);
            }
            words.addAll(array);
            whole = true;
        }
        return new Launch(image, words, whole);
    }

    /** The instructions behind the last FROM, with their continuation lines; they begin behind their name. */
    private static List<Instruction> lastStage(Source in) {
        var out = new ArrayList<Instruction>();
        for (int i = 1; i <= in.lines(); i++) {
            int start = in.start(i);
            while (in.line(i).stripTrailing().endsWith("\\") && i < in.lines()) {
                i++;
            }
            int end = in.start(i) + in.line(i).length();
            Matcher m = HEAD.matcher(in.text()).region(start, end);
            if (m.matches()) {
                String name = m.group(1).toUpperCase(java.util.Locale.ROOT);
                if (name.equals("FROM")) {
                    out.clear();
                }
                out.add(new Instruction(name, m.start(2), end));
            }
        }
        return out;
    }
}
