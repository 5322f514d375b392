"""Rivals of Fettle's search on the same known surfaces: default, grid, random, Optuna's TPE and GPSampler.

    rivals.py GRID SEEDS NOISE DRIFT TRIALS NAME,…      prints a line of JSON a run, as TunerProof does

GRID is what TunerProof wrote: every setting with its true throughput, 0 where the server dies. Each rival maximises the logarithm of
throughput over the same settings, is told of a death as a failed trial, sees the default first, and recommends the best it observed.
A trial takes 15 s, a death 5 s.
"""
import itertools, json, math, random, sys

grid_file, seeds, noise, drift, budgets, names = sys.argv[1], int(sys.argv[2]), float(sys.argv[3]), float(sys.argv[4]), sys.argv[5], sys.argv[6].split(",")
budgets = [int(b) for b in budgets.split(",")]
surfaces, defaults = {}, {}
for line in open(grid_file):
    name, *values, truth = line.rstrip("\n").split("\t")
    if values == ["default"]:
        defaults[name] = float(truth)
    else:
        surfaces.setdefault(name, {})[tuple(values)] = float(truth)
axes = [list(dict.fromkeys(k)) for k in zip(*next(iter(surfaces.values())))]
NUMBERS = {0, 2}  # threads and backlog, ascending


class Server:
    def __init__(self, name, seed):
        self.truth, self.default = surfaces[name], defaults[name]
        self.rnd = random.Random(seed * 1_000_003 + len(name))
        self.state, self.seconds = drift * self.rnd.gauss(0, 1), 0

    def run(self, setting):
        """The logarithm of what is measured; None where it dies. The default is None for a setting."""
        self.state = 0.8 * self.state + 0.6 * drift * self.rnd.gauss(0, 1)
        x = self.default if setting is None else self.truth[setting]
        self.seconds += 15 if x else 5
        return math.log(x) + noise * self.rnd.gauss(0, 1) + self.state if x else None


def settings_of(name, seed, most):
    """Yields settings and takes back what was measured."""
    rnd = random.Random(seed)
    if name == "default":
        return
    if name == "random":
        for _ in range(most):
            yield tuple(rnd.choice(a) for a in axes)
    elif name == "grid":
        some = [[a[0], a[len(a) // 2], a[-1]] if i in NUMBERS else a for i, a in enumerate(axes)]
        points = list(itertools.product(*some))
        rnd.shuffle(points)
        for point in points[:most]:
            yield point
    else:
        import optuna, warnings
        warnings.simplefilter("ignore")
        optuna.logging.set_verbosity(optuna.logging.ERROR)
        sampler = (optuna.samplers.TPESampler(seed=seed, multivariate=True, n_startup_trials=min(10, max(4, most // 3))) if name == "optuna tpe"
                   else optuna.samplers.GPSampler(seed=seed, n_startup_trials=max(4, most // 3), deterministic_objective=False))
        study = optuna.create_study(direction="maximize", sampler=sampler)
        for _ in range(most):
            trial = study.ask()
            setting = tuple(a[trial.suggest_int(str(i), 0, len(a) - 1)] if i in NUMBERS else trial.suggest_categorical(str(i), a)
                            for i, a in enumerate(axes))
            value = yield setting
            if value is None:
                study.tell(trial, state=optuna.trial.TrialState.FAIL)
            else:
                study.tell(trial, value)


for tuner in names:
    for name in surfaces:
        best = max(surfaces[name].values())
        for most in budgets:
            for seed in range(1, seeds + 1):
                server = Server(name, seed)
                found, score = None, server.run(None)
                search = settings_of(tuner, seed, most - 1)
                try:
                    setting = next(search)
                    while True:
                        value = server.run(setting)
                        if value is not None and value > score:
                            found, score = setting, value
                        setting = search.send(value)
                except StopIteration:
                    pass
                true = server.default if found is None else surfaces[name][found]
                print(json.dumps(dict(tuner=tuner, surface=name, trials=most, seed=seed, seconds=server.seconds, regret=round(1 - true / best, 4))), flush=True)
