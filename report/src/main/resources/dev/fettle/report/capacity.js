'use strict';
/* The plots of a capacity search: its probes, and what a spike did. */

/** Each probe: the SLO's figure by the rate offered, the bound, the interval of the limit, and the answer. */
Fettle.builders.probes = function (d, c, width) {
  const p = d.probes;
  const show = v => p.millis ? Fettle.ms(v) : Fettle.share(v / 100);
  const kinds = [['met', 'meets the SLO', c.good, 'circle'], ['broken', 'breaks it', c.bad, 'diamond'],
    ['void', 'does not count', c.warn, 'triangle'], ['disturbed', 'disturbed', c.warn, 'rect']].filter(k => p.points.some(q => q.verdict === k[0]));
  const values = p.points.map(q => q.value).concat(p.bound).filter(v => v > 0);
  const log = p.millis && Math.max(...values) / Math.min(...values) > 20;
  const rates = p.points.map(q => q.rate).concat(p.limit ? [p.limit.lo, p.limit.hi] : []);
  const wide = Math.max(...rates) / Math.min(...rates) >= 8;
  const legend = Fettle.legend(c, kinds.map(k => k[1]), width);
  const line = (at, name, type, position) => Object.assign({ name, lineStyle: { color: c.quiet, type, width: 1 },
    label: { show: true, formatter: name, color: c.quiet, fontSize: 12, position } }, at);
  const frame = {
    type: 'line', data: [], silent: true, animation: false,
    markLine: {
      silent: true, symbol: 'none', animation: false,
      data: [line({ yAxis: p.bound }, p.figure + ' ' + show(p.bound), [4, 4], 'insideEndTop')]
        .concat(p.answer ? [line({ xAxis: p.answer }, 'answer', 'solid', 'end')] : []),
    },
  };
  if (p.limit) {
    frame.markArea = {
      silent: true, animation: false, itemStyle: { color: c.shade },
      data: [[{ xAxis: p.limit.lo }, { xAxis: p.limit.hi }]],
    };
  }
  return {
    height: 330 + legend.room,
    option: Fettle.base(c, {
      grid: { left: 8, right: 22, top: legend.room + 34, bottom: 34, containLabel: true },
      legend: Object.assign(legend.option, { icon: undefined }),
      xAxis: Fettle.axis(c, Object.assign({
        type: wide ? 'log' : 'value', logBase: 2, scale: true, splitLine: { show: false },
        axisLabel: { color: c.quiet, fontSize: 12, hideOverlap: true, showMinLabel: !wide, showMaxLabel: !wide, formatter: v => Fettle.tick(wide ? +v.toPrecision(3) : v) },
      }, wide ? { min: Math.min(...rates) / 1.15, max: Math.max(...rates) * 1.15 }
        : Fettle.nice(Math.min(...rates), Math.max(...rates), width < 480 ? 3 : 6),
      Fettle.xName(p.unit + ' per second offered' + (p.limit ? '; shaded: the limit, 95 %' : '')))),
      yAxis: Fettle.axis(c, Object.assign({ type: log ? 'log' : 'value', min: log ? undefined : 0,
        axisLabel: { color: c.quiet, fontSize: 12, formatter: show } }, Fettle.yName(c, p.figure))),
      tooltip: Object.assign(Fettle.base(c, {}).tooltip, {
        formatter: t => '<b>probe ' + t.data.q.n + ': ' + Fettle.rate(t.data.q.rate) + '</b><br>' + p.figure + ' '
          + show(t.data.q.value) + ', errors ' + Fettle.share(t.data.q.errors) + '<br>' + Fettle.escape(t.data.q.what),
      }),
      series: kinds.map(k => ({
        name: k[1], type: 'scatter', symbol: k[3], symbolSize: 11, z: 4, itemStyle: { color: k[2], opacity: 0.85 },
        data: p.points.filter(q => q.verdict === k[0] && (!log || q.value > 0)).map(q => ({ value: [q.rate, q.value], q })),
      })).concat([frame]),
    }),
  };
};

/** Two plots on one axis of time: answers a second above, p99 below; the spike is shaded. */
Fettle.builders.overload = function (d, c, width) {
  const o = d.overload;
  const names = ['valid answers', 'in time', 'p99'];
  const legend = Fettle.legend(c, names, width);
  const late = o.points.map(p => p[3]).filter(v => v > 0);
  const log = Math.max(...late) / Math.min(...late) > 20;
  const end = Math.max(...o.points.map(p => p[0]));
  const time = (grid, labels) => Fettle.axis(c, Object.assign({
    type: 'value', gridIndex: grid, min: 0, max: end, splitLine: { show: false },
    axisLabel: { show: labels, color: c.quiet, fontSize: 12, hideOverlap: true, showMaxLabel: false, formatter: v => Fettle.tick(v) + ' s' },
  }, labels ? Fettle.xName('since the load began') : {}));
  const spike = {
    silent: true, animation: false, itemStyle: { color: c.shade },
    label: { show: true, position: 'insideTop', color: c.quiet, fontSize: 12 },
    data: [[{ name: 'spike', xAxis: o.spikeFrom }, { xAxis: o.spikeTo }]],
  };
  const curve = (name, grid, column, colour, more) => Object.assign({
    name, type: 'line', xAxisIndex: grid, yAxisIndex: grid, symbol: 'none',
    itemStyle: { color: colour }, lineStyle: { color: colour, width: 1.8 },
    // a slice without an answer has no latency: a gap, not a line from its neighbours
    data: o.points.map(p => [p[0], p[column] === undefined || grid === 1 && log && !(p[column] > 0) ? null : p[column]]),
  }, more);
  return {
    height: 430 + legend.room,
    option: Fettle.base(c, {
      grid: [
        { left: 66, right: 18, top: legend.room + 26, height: 165 },
        { left: 66, right: 18, top: legend.room + 238, height: 140 },
      ],
      legend: Object.assign(legend.option, { icon: undefined, itemWidth: 22 }),
      xAxis: [time(0, false), time(1, true)],
      yAxis: [
        Fettle.axis(c, Object.assign({ type: 'value', gridIndex: 0, min: 0 }, Fettle.yName(c, 'per second'))),
        Fettle.axis(c, Object.assign({ type: log ? 'log' : 'value', gridIndex: 1, min: log ? undefined : 0,
          axisLabel: { color: c.quiet, fontSize: 12, formatter: Fettle.ms } }, Fettle.yName(c, 'p99'))),
      ],
      tooltip: Object.assign(Fettle.base(c, {}).tooltip, {
        trigger: 'axis', axisPointer: { lineStyle: { color: c.quiet } },
        formatter: ts => '<b>' + Fettle.ms(1000 * ts[0].value[0]) + '</b>' + ts.filter(t => typeof t.value[1] === 'number').map(t => '<br>' + t.marker
          + Fettle.escape(t.seriesName) + ': ' + (t.seriesName === 'p99' ? Fettle.ms(t.value[1]) : Fettle.rate(t.value[1]))).join(''),
      }),
      series: [
        curve(names[0], 0, 1, c.base, { markArea: spike }),
        curve(names[1], 0, 2, c.accent),
        curve(names[2], 1, 3, c.series[1], {
          markArea: Object.assign({}, spike, { label: { show: false } }),
          markLine: o.bound === undefined ? undefined : {
            silent: true, symbol: 'none', animation: false,
            data: [{ yAxis: o.bound, lineStyle: { color: c.quiet, type: [4, 4], width: 1 },
              label: { show: true, formatter: Fettle.ms(o.bound), color: c.quiet, fontSize: 12, position: 'insideEndTop' } }],
          },
        }),
      ],
    }),
  };
};
