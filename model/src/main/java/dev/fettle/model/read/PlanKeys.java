package dev.fettle.model.read;

import dev.fettle.load.api.Arrivals;
import dev.fettle.model.key.Default;
import dev.fettle.model.key.Form;
import dev.fettle.model.key.Key;
import dev.fettle.model.key.Matches;
import dev.fettle.model.key.Names;
import dev.fettle.model.key.Range;
import dev.fettle.model.key.Section;
import dev.fettle.model.knob.OwnKnob;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.load.Load;
import dev.fettle.model.plan.Budget;
import dev.fettle.model.plan.Dimension;
import dev.fettle.model.plan.KnobRange;
import dev.fettle.model.plan.Objective;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.plan.Slo;
import dev.fettle.model.plan.Variant;
import dev.fettle.model.target.Hooks;
import dev.fettle.model.target.Target;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.yaml.snakeyaml.nodes.Node;

/** The keys of a plan. */
@Section(value = "plan", what = "a plan", doc = "What to put under test, under which load, and what may be tuned.")
record PlanKeys(
        YamlFields at,

        @Key(value = "Short name of the run.", required = "login-page")
        @Matches(
                value = "[A-Za-z0-9][A-Za-z0-9._-]{0,63}",
                says = "name is up to 64 letters, digits, '.', '_' and '-', starting with a letter or digit")
        Optional<String> name,

        @Key("One or two sentences for the report.") String about,

        @Key(value = "What is put under test.", form = Form.TARGET, required = "{server: tomcat, app: hello}")
        Optional<Target> target,

        @Key(value = "How requests are offered.", of = LoadKeys.class, required = "{connections: 100}")
        Optional<Load> load,

        @Key(
                "Knobs of your own application: what they are and where they go. Elsewhere in the plan they are called own.NAME.")
        @Names(value = OwnKnobKeys.NAMES, says = "the name of an own knob is like pool or pool.size, not '%s'")
        List<Named<OwnKnobKeys>> own,

        @Key(value = "Knobs held at a value in every trial.", form = Form.SETTING)
        Optional<Node> hold,

        @Key(value = "What a tune may change.", form = Form.RANGES)
        Optional<Node> knobs,

        @Key("Other machines that take part, by names of your own.")
        @Names(value = HostKeys.NAMES, says = "the name of a host has letters, digits, '-' and '_', not '%s'")
        List<Named<HostKeys>> hosts,

        @Key("What is best.") Optional<ObjectiveKeys> objective,
        @Key("How much a tune may spend.") Optional<Budget> budget,

        @Key(
                value =
                        "What 'fettle capacity', or a trial with the objective capacity, finds the highest rate for: p99<50ms,errors<0.1%; default: the objective's limits.",
                form = Form.SLO)
        Optional<Slo> slo,

        @Key("The grid of a sweep.") Optional<CompareKeys.Sweep> sweep,
        @Key("The variants of a comparison.") Optional<CompareKeys> compare,

        @Key(value = "Commands around the target: what it needs is started, or put back in order.", of = HookKeys.class)
        Optional<Hooks> hooks,

        @Key("Seeds every random choice.") @Range(from = "0") @Default("42")
        long seed,

        @Key("Whether a run is shown on a page while it goes on, as with --live-page.") @Default("false")
        boolean livePage)
        implements Written<Plan> {

    @Override
    public Optional<Plan> value(Reading reading) {
        Problems problems = reading.problems();
        List<OwnKnob> declared = own.stream()
                .flatMap(k -> k.value().knob(k.name(), reading).stream())
                .toList();
        var values = new KnobReader(problems, declared);
        Setting held = hold.map(n -> values.setting(n, "hold")).orElse(Setting.DEFAULT);
        List<KnobRange> ranges = knobs.map(values::ranges).orElse(List.of());
        for (KnobRange r : ranges) {
            if (held.get(r.knob()).isPresent()) {
                at.in("knobs")
                        .wrong(
                                r.knob(),
                                "%s is held and tuned at once: take it out of 'hold' or 'knobs'".formatted(r.knob()));
            }
        }
        if (target.isEmpty()) {
            return Optional.empty(); // dimensions and variants can't be judged
        }
        Target under = target.get();
        for (OwnKnob k : declared) {
            place(k, under, at.in("own"), k.name().substring(OwnKnob.PREFIX.length()), "");
        }
        Optional<Load> offered = load.map(l -> SecureUrl.load(l, under, at));
        var experiments = new ExperimentReader(reading, at, under, values, held);
        Optional<Plan.Sweep> cells = sweep.map(experiments::sweep);
        Optional<Plan.Compare> compared = compare.map(c -> experiments.compare(c, offered));
        for (Variant v : compared.map(Plan.Compare::variants).orElse(List.of())) {
            for (OwnKnob k : v.target().equals(under) ? List.<OwnKnob>of() : declared) {
                place(k, v.target(), at.in("compare").in("variants"), v.name(), "variant " + v.name() + ": ");
            }
        }
        experiments.jdks();
        reading.checkPorts(hooks.map(Hooks::ports).orElse(Set.of()));
        if (name.isEmpty() || offered.isEmpty()) {
            return Optional.empty();
        }
        Arrivals arrivals = offered.get().arrivals();
        Objective best =
                objective.map(o -> o.objective(arrivals, slo)).orElseGet(() -> Objective.unnamed(arrivals, slo));
        List<List<Dimension>> grids = List.of(
                cells.map(Plan.Sweep::grid).orElse(List.of()),
                compared.map(Plan.Compare::grid).orElse(List.of()));
        var objectives = new ObjectiveReader(problems);
        Load loaded = objectives.capacity(at, offered.get(), best, slo, compared, grids);
        objectives.open(at, loaded, best);
        objectives.objective(at, loaded, under, best);
        experiments.spike(loaded, compared, slo.or(() -> Slo.of(best)));
        experiments.scenario(loaded, grids);
        return Optional.of(new Plan(
                name.get(),
                about.strip(),
                under,
                loaded,
                held,
                ranges,
                best,
                budget.orElse(Budget.DEFAULT),
                slo,
                cells,
                compared,
                hooks,
                seed,
                Optional.empty(),
                Optional.empty(),
                declared,
                Optional.empty(),
                livePage,
                from(reading, under, loaded),
                problems.alsoRead()));
    }

    /** What ssh calls the machines that send the load. */
    private List<String> from(Reading reading, Target under, Load offered) {
        var from = new LinkedHashSet<String>();
        for (Reading.Sent sent : reading.sent()) {
            for (String name : sent.hosts().stream().distinct().toList()) {
                Optional<String> ssh = hosts.stream()
                        .filter(h -> h.name().equals(name))
                        .findFirst()
                        .flatMap(h -> h.value().ssh());
                if (ssh.isEmpty()) {
                    sent.at()
                            .wrong(
                                    "from",
                                    "there is no host '" + name + "' in the plan: hosts: {" + name
                                            + ": {ssh: USER@HOST}}");
                } else if (!from.add(ssh.get())) {
                    sent.at().wrong("from", "'" + name + "' is a machine that sends a part already");
                }
            }
            if (under.isLaunched()) {
                sent.at()
                        .wrong(
                                "from",
                                "other machines can't load a target that Fettle launches: it listens on this"
                                        + " machine's loopback. Start it yourself, and name it: target: {url: …}");
            } else if (sent.hosts().size() > offered.connections()) {
                sent.at()
                        .wrong(
                                "from",
                                "%d hosts for %d connections"
                                        .formatted(sent.hosts().size(), offered.connections()));
            }
        }
        return List.copyOf(from);
    }

    /** Reports a knob that a target has no place for. */
    private static void place(OwnKnob knob, Target target, YamlFields at, String key, String whose) {
        String wrong = OwnKnobKeys.problem(knob, target);
        if (!wrong.isEmpty()) {
            at.wrong(key, whose + knob.name() + ": " + wrong);
        }
    }
}
