package dev.fettle.lab.audit;

import dev.fettle.insight.audit.Probe;
import dev.fettle.insight.audit.Probe.Outcome;
import dev.fettle.model.audit.FoundSetting;
import dev.fettle.model.audit.SettingKind;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Tries options of the JVM on a JDK, one at a time: {@code java OPTION -version}. Options that would write a file, load code or run a
 * command are not tried.
 */
record JvmProbe(TrustedProgram java, Path folder) {
    /** At most this many are tried; the rest is judged by the rules alone. */
    private static final int MOST = 120;

    private static final Pattern SAFE = Pattern.compile(
            "-XX:[+-][A-Za-z]\\w{1,80}|-XX:[A-Za-z]\\w{1,80}=[A-Za-z0-9.]{1,24}%?|-X(?:mx|ss)\\d{1,15}[kKmMgGtT]?"
                    + "|-server|-client|-d64|-d32|-noverify|-Xnoclassgc|-Xincgc|-Xconcgc|-Xint|-Xbatch|-Xrs|-Xdebug|-Xfuture|-Xprof"
                    + "|-verbose:gc|-Xverify:\\w{1,10}|--illegal-access=\\w{1,10}|--enable-preview|-Djava\\.security\\.manager");
    /**
     * Never tried: options that touch all memory, write files or run something, or whose range depends on another
     * option's default.
     */
    private static final Pattern NOT = Pattern.compile(
            "-XX:[+]?(?:AlwaysPreTouch\\w*|\\w*Path|\\w*File|OnError|OnOutOfMemoryError|StartFlightRecording|FlightRecorderOptions"
                    + "|LogVMOutput|DumpLoadedClassList|DumpPerfMapAtExit|PerfDataSaveToFile|PauseAt\\w*|AllocateHeapAt|JVMCILibDumpJNIConfig|ArchiveClassesAtExit|AutoCreateSharedArchive|RecordDynamicDumpInfo|CreateCoredumpOnCrash|Flags"
                    + "|VMOptionsFile|CompileCommand|AOT(?:Cache\\w*|Configuration|Mode|Library)|(?:Initial|Min|SoftMax)HeapSize|(?:Max)?NewSize|InitialCodeCacheSize|MetaspaceSize|PrintFlags\\w*)(?:=.*)?");

    private static final Pattern FLAG =
            Pattern.compile("(?m)^[ \\t]*+\\w++[ \\t]++(\\w++)[ \\t]++=[ \\t]++((?:[^\\s{]\\S*+)?+)[ \\t]*+\\{");
    private static final Pattern IGNORED =
            Pattern.compile("Ignoring option|support was removed|obsolete|ignored", Pattern.CASE_INSENSITIVE);
    private static final Pattern DEPRECATED = Pattern.compile("deprecated", Pattern.CASE_INSENSITIVE);

    /** The JDK's answers; the notes name what was not tried. */
    List<Probe> probe(List<FoundSetting> found, String release, List<String> notes) throws InterruptedException {
        Set<String> options = new LinkedHashSet<>();
        for (FoundSetting f : found) {
            String o = f.written();
            if (f.kind() == SettingKind.JVM
                    && SAFE.matcher(o).matches()
                    && !NOT.matcher(o).matches()
                    && !o.matches(".*=[A-Z]")) { // a letter stands for any value
                options.add(o);
            }
        }
        var out = new ArrayList<Probe>();
        if (options.isEmpty()) {
            return out;
        }
        Optional<Tried.Said> all = Tried.run(java, List.of("-XX:+PrintFlagsFinal", "-version"), folder);
        if (all.isEmpty() || all.get().code() != 0) {
            notes.add("no option was tried: " + java + " does not start");
            return out;
        }
        Map<String, String> defaults = new HashMap<>();
        Matcher m = FLAG.matcher(all.get().text());
        while (m.find()) {
            defaults.put(m.group(1), m.group(2));
        }
        if (options.size() > MOST) {
            notes.add("%d of %d JVM options were tried".formatted(MOST, options.size()));
        }
        List<String> unlocks = options.stream()
                .filter(o -> o.matches("-XX:\\+Unlock(?:Experimental|Diagnostic)VMOptions"))
                .toList();
        for (String o : options.stream().limit(MOST).toList()) {
            Optional<Tried.Said> said = tried(List.of(), o);
            if (said.filter(s -> s.code() != 0 && s.text().contains("must be enabled via -XX:+Unlock"))
                    .isPresent()) {
                said = tried(unlocks, o);
            }
            said.ifPresent(s -> out.add(of(o, release, s, defaults)));
        }
        return out;
    }

    private Optional<Tried.Said> tried(List<String> before, String option) throws InterruptedException {
        var arguments = new ArrayList<>(before);
        arguments.addAll(List.of(option, "-version"));
        return Tried.run(java, arguments, folder);
    }

    private static Probe of(String option, String release, Tried.Said said, Map<String, String> defaults) {
        String name = option.replaceFirst("-XX:[+-]?", "").replaceFirst("=.*", "");
        Optional<String> byDefault = Optional.ofNullable(defaults.get(name));
        String words = said.text()
                .lines()
                .filter(
                        l -> l.matches(
                                "(?i).*(warning|error|unrecognized|invalid|must|too small|conflict|could not|cannot|deprecated).*"))
                .findFirst()
                .map(l -> l.replaceFirst("^OpenJDK \\S+ Server VM warning: ", "")
                        .replaceFirst("^\\[[\\d.]++s\\](?:\\[\\w++\\s*+\\])++ ?", "")
                        .strip())
                .orElse("");
        // a JVM that finds no such compiler ends as soon as it wants to compile: after "-version", or just before its
        // end
        if (said.code() != 0 || words.startsWith("Cannot use JVMCI compiler")) {
            // limits of another option or of this machine's memory are not a fault of this option
            boolean elsewhere = words.contains("reserve enough space") || words.contains("Not enough memory");
            return new Probe(option, release, elsewhere ? Outcome.ACCEPTED : Outcome.REFUSED, words, byDefault);
        }
        Outcome outcome = words.isEmpty()
                ? Outcome.ACCEPTED
                : IGNORED.matcher(words).find()
                        ? Outcome.IGNORED
                        : DEPRECATED.matcher(words).find() ? Outcome.DEPRECATED : Outcome.ACCEPTED;
        return new Probe(option, release, outcome, words, byDefault);
    }
}
