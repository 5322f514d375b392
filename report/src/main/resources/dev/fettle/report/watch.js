'use strict';
/* What was watched of one trial: a plot for each group of figures, with one clock and one cursor. */
/* Between two ticks: a power of two for bytes, a quarter for shares up to all; else the library chooses. */
Fettle.step = function (unit, most) {
  if (unit.startsWith('bytes') && most >= 4) {
    return Math.pow(2, Math.ceil(Math.log2(most / 4)));
  }
  return unit === 'share' && most > 0.6 ? 0.25 : undefined;
};

Fettle.quantity = function (unit, v) {
  switch (unit) {
    case 'share': return Fettle.share(v);
    case 'millis': return Fettle.ms(v);
    case 'bytes': return Fettle.bytes(v);
    case 'bytes_per_second': return Fettle.bytes(v) + '/s';
    case 'per_second': return Fettle.rate(v);
    default: return Fettle.count(v);
  }
};

/** Groups whose figures add up to a whole; those that do not are drawn as lines above them. */
Fettle.stacked = { cpu: id => id !== 'cpu.total' && id !== 'cpu.hottest', wait: () => true };

/**
 * The points of a line, in order, with a null where nothing was read for long: the line is not drawn across it, whatever is usual
 * between two readings. A reading alone between two gaps is a dot.
 */
Fettle.gapped = function (points) {
  const apart = points.slice(1).map((p, i) => p.value[0] - points[i].value[0]).sort((a, b) => a - b);
  const most = 3 * apart[(apart.length - 1) >> 1] + 1e-6;
  const all = [];
  points.forEach((p, i) => {
    if (i > 0 && p.value[0] - points[i - 1].value[0] > most) {
      all.push({ value: [(p.value[0] + points[i - 1].value[0]) / 2, null], own: null, gap: true });
    }
    all.push(p);
  });
  const ends = i => i < 0 || i >= all.length || all[i].gap;
  return all.map((p, i) => !p.gap && ends(i - 1) && ends(i + 1) ? Object.assign({ symbol: 'circle', symbolSize: 4 }, p) : p);
};

/** @param mark {at, text}: the moment that a plot beside a finding marks; of the first trial, whatever else is chosen */
Fettle.watchPlot = function (index, mark) {
  return function (d, c, width) {
    const trial = d.watch.trials[mark ? 0 : Fettle.choice.watch];
    const plot = d.watch.plots[index];
    const all = trial.plots[index];
    const end = trial.start + trial.points * trial.step;
    const stacks = Fettle.stacked[plot.group] || (() => false);
    const at = i => +(trial.start + (i + 0.5) * trial.step).toFixed(3);
    // a point at which nothing of the plot was read is left out; what is stacked on it needs all others of that moment
    const rows = [...Array(trial.points).keys()].filter(i => all.some(s => s.values[i] !== null && s.values[i] !== undefined));
    // one axis is as good as the other for ECharts where both are of values: what is stacked is added up here, and the highest
    // is painted first
    const below = rows.map(() => 0);
    const colours = new Map(all.map((s, i) => [s.id, c.series[i % c.series.length]]));
    const bands = all.filter(s => stacks(s.id)).map(s => ({
      name: s.name, type: 'line', symbol: 'none', z: 2, itemStyle: { color: colours.get(s.id) },
      lineStyle: { width: 0 }, areaStyle: { color: colours.get(s.id), opacity: 1 },
      data: Fettle.gapped(rows.map((row, i) => {
        const own = s.values[row] === undefined ? null : s.values[row];
        below[i] += own || 0; // what was not read adds nothing, and is not called zero
        return { value: [at(row), below[i]], own };
      })),
    }));
    const lines = all.filter(s => !stacks(s.id)).map(s => {
      const plain = s.limit || s.id === 'cpu.total';
      const colour = plain ? c.quiet : s.id === 'cpu.hottest' ? c.bad : colours.get(s.id);
      const data = Fettle.gapped(rows.filter(row => s.values[row] !== null && s.values[row] !== undefined)
        .map(row => ({ value: [at(row), s.values[row]], own: s.values[row] })));
      return {
        name: s.name, type: 'line', symbol: data.length < 3 ? 'circle' : 'none', data, z: 3, itemStyle: { color: colour },
        lineStyle: { color: colour, width: 1.6, type: plain ? [4, 3] : 'solid' },
      };
    });
    const series = [...bands].reverse().concat(lines);
    if (series.length > 0 && trial.start < 0) {
      series[0].markArea = {
        silent: true, animation: false, itemStyle: { color: c.shade }, data: [[{ xAxis: trial.start }, { xAxis: 0 }]],
      };
    }
    if (series.length > 0 && mark && mark.at !== null && mark.at !== undefined) {
      series[0].markLine = {
        silent: true, animation: false, symbol: 'none', lineStyle: { color: c.bad, width: 1.4, type: 'solid' },
        label: { formatter: mark.text, position: mark.at > trial.start + 0.7 * (end - trial.start) ? 'insideEndTop' : 'insideEndBottom',
          color: c.text || c.quiet, fontSize: 12, rotate: 0, distance: 6, align: mark.at > trial.start + 0.7 * (end - trial.start) ? 'right' : 'left' },
        data: [{ xAxis: mark.at }],
      };
    }
    const legend = Fettle.legend(c, bands.concat(lines).map(s => s.name), width);
    const unit = v => Fettle.quantity(plot.unit, v);
    const values = bands.length > 0 ? [] : lines.flatMap(s => s.data.map(d => Array.isArray(d) ? d[1] : d.value[1]))
      .filter(v => v !== null && v !== undefined && !Number.isNaN(v));
    const most = Math.max(0, ...values);
    const step = Fettle.step(plot.unit, most);
    return {
      height: 150 + legend.room,
      option: Fettle.base(c, {
        grid: { left: 72, right: 18, top: legend.room + 8, bottom: 26 },
        legend: Object.assign(legend.option, { selectedMode: bands.length === 0 }),
        xAxis: Fettle.axis(c, { type: 'value', min: trial.start, max: end, splitLine: { show: false },
          axisLabel: { color: c.quiet, fontSize: 12, hideOverlap: true, showMinLabel: false, showMaxLabel: false,
            formatter: v => Fettle.tick(v) + ' s' } }),
        yAxis: Fettle.axis(c, { type: 'value', min: 0, splitNumber: 3, interval: step, max: plot.unit === 'share' ? v => v.max > 0.6 ? 1 : null : step ? step * Math.ceil(most / step) : null,
          axisLabel: { color: c.quiet, fontSize: 12, hideOverlap: true, formatter: unit } }),
        tooltip: Object.assign(Fettle.base(c, {}).tooltip, {
          trigger: 'axis', axisPointer: { lineStyle: { color: c.quiet } },
          formatter: all => {
            const ts = all.filter(t => !t.data.gap);
            return ts.length === 0 ? '' : Fettle.ms(1000 * ts[0].value[0]) + '<br>' + ts.map(t => t.marker + Fettle.escape(t.seriesName)
              + ' <b>' + (t.data.own === null ? 'not read' : unit(t.data.own)) + '</b>').join('<br>');
          },
        }),
        series,
      }),
    };
  };
};

/** A builder for each plot of what was watched. */
Fettle.watchPlots = function () {
  const watch = Fettle.data.watch || { plots: [] };
  watch.plots.forEach((p, i) => { Fettle.builders[p.id] = Fettle.watchPlot(i); });
  (watch.marked || []).forEach(m => { Fettle.builders[m.id] = Fettle.watchPlot(m.plot, m); });
};

Fettle.choice.watch = 0;
Fettle.watchPlots();
