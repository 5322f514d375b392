"""Rivals of Fettle's search on the same surfaces: default, preset, grid, random, every setting once, BestConfig's DDS+RBS (our own,
from the paper: Zhu et al., SoCC 2017, arXiv 1710.03439, sections 4.2 and 4.3), Optuna's TPE and GPSampler, SMAC3.

    rivals.py GRID LUCK SEEDS TRIALS NAME,…      prints a line of JSON a run, as TunerProof does

GRID and LUCK are what TunerProof wrote: every setting with its true throughput, 0 where the server dies; and what each trial of a run
is lucky by, the same for each tuner. On a recorded surface a trial gives what one of the recorded trials gave, in turn, and LUCK is
not used. Each rival maximises the logarithm of throughput over the same settings, has the default as its first
trial, and recommends the best it observed. The preset is what guides recommend, untried: 200 threads or
the next choice, a backlog of 1,000 or so, G1, no delay, keep-alive without end. A trial takes 15 s, a death 5 s; a recorded one what
it took.

No sampler is told what the default gave: it counts as a trial and may be what is recommended, but their models begin without it. SMAC3
and Optuna are told of a death as of a throughput that is lower, by a factor of e, than the lowest seen so far (1/s before any was seen).
"""
import itertools, json, math, os, random, sys

grid_file, luck_file, seeds, budgets, names = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4], sys.argv[5].split(",")
budgets = [int(b) for b in budgets.split(",")]
luck = {}
for line in open(luck_file) if os.path.exists(luck_file) else []:
    name, seed, *values = line.rstrip("\n").split("\t")
    luck[name, int(seed)] = [float(v) for v in values]


class Surface:
    def __init__(self, of):
        self.name, self.traits, self.axes, self.preset, self.default = of["surface"], of["traits"], of["axes"], tuple(of["preset"]), of["standard"]
        self.points = {tuple(p["values"]): p for p in of["points"]}
        self.numbers = {i for i, a in enumerate(self.axes) if len(a) > 2 and all(v.isdigit() for v in a)}  # ascending

    def point(self, setting):
        return self.default if setting is None else self.points[setting]

    def truth(self, setting, seed):
        return self.point(setting)["truth"][1 - seed % 2]

    def best(self, seed):
        half = 1 - seed % 2
        points = [self.default, *self.points.values()]
        if self.default["seen"][half]:  # recorded: the best by all that may be seen, as the highest truth would be the luckiest
            return max(points, key=lambda p: sum(p["seen"][half]) / len(p["seen"][half]))["truth"][half]
        return max(p["truth"][half] for p in points)


surfaces = [Surface(s) for s in json.load(open(grid_file))]


class Server:
    def __init__(self, surface, seed):
        self.surface, self.seed, self.trials, self.seconds = surface, seed, 0, 0

    def run(self, setting):
        """The logarithm of what is measured; None where it dies. The default is None for a setting."""
        point = self.surface.point(setting)
        self.seconds += point["seconds"]
        self.trials += 1
        seen = point["seen"][1 - self.seed % 2]
        if seen:
            x = seen[(self.trials + self.seed) % len(seen)]
            return math.log(x) if x else None
        x = self.surface.truth(setting, self.seed)
        return math.log(x) + luck[self.surface.name, self.seed][self.trials - 1] if x else None


def dead(lowest):
    """What a sampler is told of a setting that dies: the logarithm of a throughput lower than any seen."""
    return 0.0 if lowest is None else lowest - 1


def settings_of(name, surface, seed, most):
    """Yields settings and takes back what was measured."""
    rnd, axes, numbers = random.Random(seed), surface.axes, surface.numbers
    if name in ("default", "preset"):
        return
    if name == "random":
        for _ in range(most):
            yield tuple(rnd.choice(a) for a in axes)
    elif name == "all":
        for point in surface.points:
            yield point
    elif name == "grid":
        some = [[a[0], a[len(a) // 2], a[-1]] if i in numbers else a for i, a in enumerate(axes)]
        points = list(itertools.product(*some))
        rnd.shuffle(points)
        for point in points[:most]:
            yield point
    elif name == "bestconfig":
        # divide and diverge: each axis in k intervals, each interval of each axis once; then bound and search around the best, between
        # its neighbours among the samples; again from the whole space when that brings nothing
        k, done = max(4, most // 3), 0
        whole = [(0, len(a) - 1) for a in axes]
        box, seen, best = whole, [], None
        while done < most:
            columns = []
            for low, high in box:
                # each of the values low to high has the same share of the axis, the ends included
                column = [min(high, low + math.floor((high - low + 1) * (i + rnd.random()) / k)) for i in range(k)]
                rnd.shuffle(column)
                columns.append(column)
            better = None
            for point in list(zip(*columns))[: most - done]:
                value = yield tuple(a[i] for a, i in zip(axes, point))
                done += 1
                seen.append(point)
                if value is not None and (best is None or value > best[0]):
                    best = better = (value, point)
            if better:
                box = [(max([p[d] for p in seen if p[d] < better[1][d]] or [0]), min([p[d] for p in seen if p[d] > better[1][d]] or [len(axes[d]) - 1])) for d in range(len(axes))]
            else:
                box = whole
    elif name == "smac3":
        import logging, shutil, tempfile, warnings
        warnings.simplefilter("ignore")
        logging.disable(logging.CRITICAL)
        from ConfigSpace import CategoricalHyperparameter, ConfigurationSpace, UniformIntegerHyperparameter
        from smac import HyperparameterOptimizationFacade as Facade, Scenario
        from smac.runhistory.dataclasses import TrialValue
        from smac.runhistory.enumerations import StatusType
        space = ConfigurationSpace(seed=seed)
        space.add([UniformIntegerHyperparameter(str(i), 0, len(a) - 1) if i in numbers else CategoricalHyperparameter(str(i), a) for i, a in enumerate(axes)])
        folder = tempfile.mkdtemp()
        scenario = Scenario(space, n_trials=most, deterministic=True, seed=seed, output_directory=folder)
        smac = Facade(scenario, lambda config, seed=0: 0.0, initial_design=Facade.get_initial_design(scenario, n_configs=max(4, most // 3), max_ratio=1), overwrite=True, logging_level=False)
        lowest = None
        for _ in range(most):
            info = smac.ask()
            value = yield tuple(a[int(info.config[str(i)])] if i in numbers else str(info.config[str(i)]) for i, a in enumerate(axes))
            if value is None:
                smac.tell(info, TrialValue(cost=-dead(lowest), time=5, status=StatusType.CRASHED))
            else:
                lowest = value if lowest is None else min(lowest, value)
                smac.tell(info, TrialValue(cost=-value, time=15, status=StatusType.SUCCESS))
        shutil.rmtree(folder, ignore_errors=True)
    else:
        import optuna, warnings
        warnings.simplefilter("ignore")
        optuna.logging.set_verbosity(optuna.logging.ERROR)
        sampler = (optuna.samplers.TPESampler(seed=seed, multivariate=True, n_startup_trials=min(10, max(4, most // 3))) if name == "optuna tpe"
                   else optuna.samplers.GPSampler(seed=seed, n_startup_trials=max(4, most // 3), deterministic_objective=False))
        study = optuna.create_study(direction="maximize", sampler=sampler)
        lowest = None
        for _ in range(most):
            trial = study.ask()
            setting = tuple(a[trial.suggest_int(str(i), 0, len(a) - 1)] if i in numbers else trial.suggest_categorical(str(i), a)
                            for i, a in enumerate(axes))
            value = yield setting
            if value is None:
                study.tell(trial, dead(lowest))  # a failed trial would be left out by its samplers
            else:
                lowest = value if lowest is None else min(lowest, value)
                study.tell(trial, value)


for tuner in names:
    for surface in surfaces:
        for most in budgets if tuner != "all" else [0]:
            for seed in range(1, seeds + 1):
                server = Server(surface, seed)
                found, score = None, server.run(None)
                search = settings_of(tuner, surface, seed, most - 1)
                try:
                    setting = next(search)
                    while True:
                        value = server.run(setting)
                        if value is not None and (score is None or value > score):
                            found, score = setting, value
                        setting = search.send(value)
                except StopIteration:
                    pass
                if tuner == "preset":
                    found = surface.preset
                regret = 1 - surface.truth(found, seed) / surface.best(seed)
                print(json.dumps(dict(tuner=tuner, surface=surface.name, traits=surface.traits, trials=server.trials if tuner == "all" else most, seed=seed, seconds=round(server.seconds), regret=round(regret, 4))), flush=True)
