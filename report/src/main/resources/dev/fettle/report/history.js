'use strict';
/* One metric over many runs: figures, the level between changes, and the changes themselves. */

Fettle.inUnit = (unit, v) => unit === '%' ? Fettle.share(v / 100) : unit === 'KiB' ? Fettle.bytes(1024 * v) : Fettle.figure(unit, v);

Fettle.historyPlot = function (h, c, width) {
  const show = v => Fettle.inUnit(h.unit, v);
  const colour = run => run.answer === 'worse' ? c.bad : run.answer === 'no worse' ? c.good : c.accent;
  const taken = h.points.some(p => p.measured !== undefined);
  const names = ['figure', 'level'].concat(taken ? ['as measured'] : []).concat(h.voids.length ? ['void'] : []);
  const legend = Fettle.legend(c, names, width);
  const seen = h.points.flatMap(p => [p.figure].concat(p.measured === undefined ? [] : [p.measured])).concat(h.voids.map(v => v[1]));
  // of errors, less than what counts as a change is not drawn large
  const range = h.unit === '%' ? { min: 0, max: v => Math.max(0.1, v.max) } : seen.length && Math.max(...seen) - Math.min(...seen) > 1e-3 * Math.abs(Math.max(...seen)) ? { scale: true }
    : Fettle.nice(Math.min(...seen), Math.min(...seen), 2);
  const label = at => {
    const run = h.runs[at];
    const p = h.points.find(q => q.at === at);
    const change = h.changes.find(q => q.at === at);
    const v = h.voids.find(q => q[0] === at);
    return '<b>' + Fettle.escape(run.name) + '</b><br>' + Fettle.escape(run.when) + (run.id === run.name ? '' : '<br>' + Fettle.escape(run.id))
      + (p ? '<br>' + show(p.figure) + (p.measured === undefined ? '' : ' (as measured ' + show(p.measured) + ')') : '')
      + (v ? '<br>void: ' + show(v[1]) + ', not used' : '')
      + (run.verdict && !v ? '<br>gate: ' + Fettle.escape(run.verdict) + (run.answer ? '; by this metric ' + Fettle.escape(run.answer) : '') : '')
      + (change ? '<br><b>' + Fettle.escape(change.text) + '</b> with ' + Fettle.escape(change.what) : '');
  };
  const series = [
    { name: 'figure', type: 'scatter', z: 4, symbolSize: h.runs.length > 100 ? 5 : 8, itemStyle: { color: c.accent },
      data: h.points.map(p => ({ value: [p.at, p.figure], itemStyle: { color: colour(h.runs[p.at]) } })) },
    { name: 'level', type: 'line', symbol: 'none', z: 3, connectNulls: false, itemStyle: { color: c.ink }, lineStyle: { color: c.ink, width: 1.5 },
      data: h.levels.flatMap(l => [[l[0], l[2]], [l[1], l[2]], [l[1], null]]) },
    { name: 'change', type: 'scatter', symbol: 'none', data: [], itemStyle: { color: c.warn },
      markLine: { silent: true, symbol: 'none', animation: false,
        data: h.changes.map(x => ({ xAxis: x.at - 0.5, lineStyle: { color: x.loss ? c.bad : c.good, type: 'dashed', width: 1.5 },
          label: { show: true, position: 'end', formatter: x.text, color: x.loss ? c.bad : c.good, fontSize: 12, fontWeight: 600 } })) } },
  ];
  if (taken) {
    series.push({ name: 'as measured', type: 'line', symbol: 'none', z: 1, itemStyle: { color: c.base }, lineStyle: { color: c.base, width: 1, type: [3, 3] },
      data: h.points.map(p => [p.at, p.measured]) });
  }
  if (h.voids.length) {
    series.push({ name: 'void', type: 'scatter', symbol: 'emptyCircle', symbolSize: 7, z: 2, itemStyle: { color: c.quiet }, data: h.voids });
  }
  return {
    height: 260 + legend.room,
    option: Fettle.base(c, {
      grid: { left: 8, right: 24, top: legend.room + 44, bottom: 34, containLabel: true },
      legend: Object.assign(legend.option, { icon: undefined }),
      xAxis: Fettle.axis(c, Object.assign({ type: 'value', min: -0.5, max: h.runs.length - 0.5, minInterval: 1, splitLine: { show: false },
        axisLabel: { color: c.quiet, fontSize: 12, hideOverlap: true, showMinLabel: false, showMaxLabel: false,
          formatter: v => Number.isInteger(v) && h.runs[v] ? h.runs[v].name.slice(-12) : '' } }, Fettle.xName('runs, oldest first'))),
      yAxis: Fettle.axis(c, Object.assign({ type: 'value', axisLabel: { color: c.quiet, fontSize: 12, formatter: show } }, range,
        Fettle.yName(c, h.axis))),
      tooltip: Object.assign(Fettle.base(c, {}).tooltip, { formatter: t => Number.isInteger(t.value[0]) ? label(t.value[0]) : '' }),
      series,
    }),
  };
};

(Fettle.data.history || []).forEach(h => {
  Fettle.builders[h.id] = (d, c, width) => Fettle.historyPlot(h, c, width);
});
