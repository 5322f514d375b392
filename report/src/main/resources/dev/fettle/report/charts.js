'use strict';
/* The plots: each builder makes ECharts options from the data in the page; {height} in pixels where it depends on it. */

/** Ratios with intervals, one a row: a duel's pairs or a comparison's contrasts. */
Fettle.forest = function (rows, c, width, spec) {
  const all = rows.flatMap(r => [r.est, r.lo, r.hi]).filter(v => v !== undefined && v > 0);
  const times = Math.max(...all) >= 3;
  const place = v => times ? v : (v - 1) * 100;
  const narrow = width < 480;
  const label = r => r.label + (r.group ? (narrow ? '\n' : ' · ') + r.group : '');
  const colour = i => rows[i].total || rows[i].shown ? c.accent : c.base;
  const lines = [{ at: 1, dash: 'solid' }];
  if (spec.threshold && Math.abs(spec.threshold - 1) > 1e-9) {
    lines.push({ at: spec.threshold, dash: [4, 4] });
  }
  const whiskered = rows.map((r, i) => i).filter(i => rows[i].lo !== undefined && (rows[i].lo > 0 || !times));
  const spread = all.concat(lines.map(l => l.at)).map(place);
  return {
    height: rows.length * (narrow && rows.some(r => r.group) ? 42 : 34) + 66,
    option: Fettle.base(c, {
      grid: { left: 8, right: 24, top: 12, bottom: 34, containLabel: true },
      xAxis: Fettle.axis(c, Object.assign({
        type: times ? 'log' : 'value', logBase: 2, scale: true,
        axisLabel: { color: c.quiet, fontSize: 12, hideOverlap: true,
          formatter: v => times ? Fettle.tick(v) + ' ×' : (v > 0 ? '+' : '') + Fettle.tick(v) + ' %' },
      }, times ? Fettle.powers(Math.min(...spread), Math.max(...spread)) : Fettle.nice(Math.min(...spread), Math.max(...spread), width < 480 ? 4 : 8), Fettle.xName(spec.name))),
      yAxis: Fettle.axis(c, {
        type: 'category', inverse: true, data: rows.map(label), splitLine: { show: false }, axisLine: { show: false },
        axisLabel: { color: c.ink, fontSize: 12, lineHeight: 15, interval: 0, width: narrow ? width * 0.36 : 260, overflow: 'truncate' },
      }),
      tooltip: Object.assign(Fettle.base(c, {}).tooltip, {
        formatter: p => '<b>' + Fettle.escape(label(rows[p.value[1]])) + '</b><br>' + Fettle.escape(rows[p.value[1]].text),
      }),
      series: [
        Fettle.whiskers('x', i => colour(whiskered[i]),
          whiskered.map(i => [place(rows[i].est), i, place(rows[i].lo), place(rows[i].hi)])),
        {
          type: 'scatter', z: 4,
          data: rows.map((r, i) => ({
            value: [place(r.est), i], symbol: r.total ? 'diamond' : 'circle', symbolSize: r.total ? 15 : 9,
            itemStyle: { color: colour(i), opacity: 1 },
          })),
          markLine: {
            silent: true, symbol: 'none', animation: false, label: { show: false },
            data: lines.map(l => ({ xAxis: place(l.at), lineStyle: { color: c.quiet, type: l.dash, width: 1 } })),
          },
        },
      ],
    }),
  };
};

Fettle.builders.duel = (d, c, width) => Fettle.forest(d.duel.rows, c, width,
  { threshold: d.duel.threshold, name: d.duel.metric + ' against the default' });

Fettle.builders.contrasts = (d, c, width) => Fettle.forest(d.contrasts.rows, c, width, { name: d.contrasts.metric + ', first against second' });

/** Two metrics of every setting, and the line of those that no other beats in both. */
Fettle.builders.tradeoff = function (d, c) {
  const t = d.tradeoff;
  const spread = k => { const v = t.rows.map(r => r[k]).filter(x => x > 0); return Math.max(...v) / Math.min(...v); };
  const axis = (k, name) => Fettle.axis(c, Object.assign({ type: spread(k) > 20 ? 'log' : 'value', scale: true }, name));
  const front = t.rows.filter(r => r.front).sort((a, b) => a.x - b.x);
  const dot = r => ({
    value: [r.x, r.y], r, symbolSize: r.role ? 13 : 9, itemStyle: { color: r.role ? Fettle.role(c, r.role, 0) : r.front ? c.accent : c.base, opacity: r.front || r.role ? 1 : 0.5 },
    label: Fettle.roleLabel(r, c),
  });
  return {
    height: 320,
    option: Fettle.base(c, {
      grid: { left: 8, right: 24, top: 34, bottom: 34, containLabel: true },
      xAxis: axis('x', Fettle.xName(t.x)),
      yAxis: axis('y', Fettle.yName(c, t.y)),
      tooltip: Object.assign(Fettle.base(c, {}).tooltip, {
        formatter: p => p.data.r ? '<b>' + Fettle.escape(p.data.r.label) + '</b><br>' + Fettle.escape(t.y) + ' ' + Fettle.figure(t.yUnit, p.data.r.y)
          + '<br>' + Fettle.escape(t.x) + ' ' + Fettle.figure(t.xUnit, p.data.r.x) : '',
      }),
      series: [
        { type: 'line', silent: true, symbol: 'none', z: 2, lineStyle: { color: c.accent, width: 1.5, opacity: 0.6 }, data: front.map(r => [r.x, r.y]) },
        { type: 'scatter', z: 4, data: t.rows.map(dot) },
      ],
    }),
  };
};

/** Variants: a dot and its interval, a row each. */
Fettle.builders.dots = function (d, c, width) {
  const rows = d.dots;
  const names = [...new Set(rows.map(r => r.label))];
  const colour = i => c.series[names.indexOf(rows[i].label) % c.series.length];
  const narrow = width < 480;
  const label = r => r.label + (r.group ? (narrow ? '\n' : ' · ') + r.group : '');
  const whiskered = rows.map((r, i) => i).filter(i => rows[i].lo !== undefined);
  return {
    height: rows.length * (narrow && rows.some(r => r.group) ? 42 : 34) + 66,
    option: Fettle.base(c, {
      grid: { left: 8, right: 24, top: 12, bottom: 34, containLabel: true },
      xAxis: Fettle.axis(c, Object.assign({ type: 'value', scale: true, splitNumber: width < 480 ? 3 : 6 },
        Fettle.xName('requests per second'))),
      yAxis: Fettle.axis(c, {
        type: 'category', inverse: true, data: rows.map(label), splitLine: { show: false }, axisLine: { show: false },
        axisLabel: { color: c.ink, fontSize: 12, lineHeight: 15, interval: 0, width: narrow ? width * 0.36 : 260, overflow: 'truncate' },
      }),
      tooltip: Object.assign(Fettle.base(c, {}).tooltip, {
        formatter: p => '<b>' + Fettle.escape(label(rows[p.value[1]])) + '</b><br>' + Fettle.rate(rows[p.value[1]].est)
          + Fettle.bounds(rows[p.value[1]], Fettle.num),
      }),
      series: [
        Fettle.whiskers('x', i => colour(whiskered[i]), whiskered.map(i => [rows[i].est, i, rows[i].lo, rows[i].hi])),
        {
          type: 'scatter', symbolSize: 10, z: 4,
          data: rows.map((r, i) => ({ value: [r.est, i], itemStyle: { color: colour(i), opacity: 1 } })),
        },
      ],
    }),
  };
};

/** The x axis of a knob: numbers on a logarithmic axis when they span a lot, names otherwise. */
Fettle.knobAxis = function (curve, c) {
  if (!curve.numeric) {
    return Fettle.axis(c, Object.assign({ type: 'category', data: curve.categories, boundaryGap: true,
      splitLine: { show: false } }, Fettle.xName(curve.name)));
  }
  const xs = curve.series.flatMap(s => s.points.map(p => +p.x));
  const log = Math.max(...xs) / Math.min(...xs) >= 8;
  return Fettle.axis(c, Object.assign({
    type: log ? 'log' : 'value', logBase: 2, scale: true, splitLine: { show: false }, boundaryGap: log ? undefined : ['8%', '8%'],
    min: log ? Math.min(...xs) / 1.25 : undefined, max: log ? Math.max(...xs) * 1.25 : undefined,
    axisLabel: { color: c.quiet, fontSize: 12, hideOverlap: true, showMinLabel: !log, showMaxLabel: !log, formatter: v => String(Math.round(v)) },
  }, Fettle.xName(curve.name)));
};

Fettle.knobX = (curve, p) => curve.numeric ? +p.x : curve.categories.indexOf(p.x);

/** The data of a line: what was not measured at a name, as a void cell, is a gap. */
Fettle.knobLine = (curve, points, item) => curve.numeric ? points.map(item) : curve.categories.flatMap((x, i) => {
  const there = points.filter(p => p.x === x);
  return there.length > 0 ? there.map(item) : [{ value: [i, null] }];
});

/** The first of the points at each value, the best of the settings that have it: a line goes through these, the others lie beside it. */
Fettle.firsts = points => points.filter((p, i) => points.findIndex(q => q.x === p.x) === i);

/** The series of a line through the first point at each value, and of the other points, which have no line. */
Fettle.knobSeries = (curve, points, item, line) => {
  const first = Fettle.firsts(points);
  const others = points.filter(p => !first.includes(p));
  const drawn = Object.assign({ type: 'line', symbol: 'circle', data: Fettle.knobLine(curve, first, item) }, line);
  return others.length === 0 ? [drawn]
    : [drawn, { name: line.name, type: 'scatter', z: 3, symbolSize: line.symbolSize, itemStyle: line.itemStyle, data: others.map(item) }];
};

/** Both plots against a knob leave the same room for names, so that they stand level side by side. */
Fettle.roomFor = (curve, width, c) => Fettle.legend(c, curve.series.map(s => s.name), width).room;

/** A name beside the baseline's and the winner's points. */
Fettle.roleLabel = (p, c) => p.role ? {
  show: true, position: 'top', distance: 8, color: c.ink, fontSize: 12, fontWeight: 600,
  formatter: p.role === 'baseline' ? 'default' : 'best',
} : { show: false };

/** The objective's metric where it has an axis of its own, else throughput. */
Fettle.builders.throughput = function (d, c, width) {
  const curve = d.knobs[Fettle.choice.knob];
  const figure = v => Fettle.figure(curve.unit, v);
  const many = curve.series.length > 1;
  const series = [];
  curve.series.forEach((s, n) => {
    const colour = p => p.role || !many ? Fettle.role(c, p.role, n) : c.series[n % c.series.length];
    const points = s.points;
    const bounded = points.filter(p => p.lo !== undefined);
    const item = p => ({
      value: [Fettle.knobX(curve, p), p.est], name: p.label, symbolSize: p.role ? 13 : 8,
      itemStyle: { color: colour(p) }, label: Fettle.roleLabel(p, c), p,
    });
    series.push(...Fettle.knobSeries(curve, points, item, {
      name: s.name, z: 4, itemStyle: { color: c.series[n % c.series.length] },
      lineStyle: { color: c.series[n % c.series.length], width: many ? 2 : 1.5, opacity: many ? 1 : 0.45 },
    }));
    series.push(Fettle.whiskers('y', i => colour(bounded[i]),
      bounded.map(p => [Fettle.knobX(curve, p), p.est, p.lo, p.hi]), { name: s.name }));
  });
  const legend = Fettle.legend(c, curve.series.map(s => s.name), width);
  const room = Fettle.roomFor(curve, width, c);
  return {
    height: 290 + room,
    option: Fettle.base(c, {
      grid: { left: 8, right: 18, top: room + 26, bottom: 34, containLabel: true },
      legend: many ? legend.option : undefined,
      xAxis: Fettle.knobAxis(curve, c),
      yAxis: Fettle.axis(c, Object.assign({ type: 'value', min: 0 }, Fettle.yName(c, curve.own ? curve.axis : 'requests per second'))),
      tooltip: Object.assign(Fettle.base(c, {}).tooltip, {
        formatter: t => '<b>' + Fettle.escape(t.data.p.label) + '</b><br>' + (curve.own ? Fettle.escape(curve.own) + ' ' : '') + figure(t.data.p.est)
          + Fettle.bounds(t.data.p, curve.own ? figure : Fettle.num),
      }),
      series,
    }),
  };
};

Fettle.builders.percentiles = function (d, c, width) {
  const curve = d.knobs[Fettle.choice.knob];
  const many = curve.series.length > 1;
  const values = curve.series.flatMap(s => s.points.flatMap(p => [p.p50, p.p99])).filter(v => v > 0);
  const log = Math.max(...values) / Math.min(...values) > 20;
  const series = [];
  curve.series.forEach((s, n) => ['p50', 'p99'].forEach((which, k) => {
    const colour = c.series[(many ? n : k) % c.series.length];
    const item = p => ({ value: [Fettle.knobX(curve, p), p[which]], p, which });
    series.push(...Fettle.knobSeries(curve, s.points.filter(p => p[which] > 0), item, {
      name: many ? s.name : which, symbolSize: 7, itemStyle: { color: colour },
      lineStyle: { color: colour, width: 2, type: many && k ? [5, 4] : 'solid' },
    }));
  }));
  const room = Fettle.roomFor(curve, width, c);
  return {
    height: 290 + room,
    option: Fettle.base(c, {
      grid: { left: 8, right: 18, top: room + 26, bottom: 34, containLabel: true },
      legend: Fettle.legend(c, [...new Set(series.map(s => s.name))], width).option,
      xAxis: Fettle.knobAxis(curve, c),
      yAxis: Fettle.axis(c, Object.assign({ type: log ? 'log' : 'value', min: log ? undefined : 0,
        axisLabel: { color: c.quiet, fontSize: 12, formatter: Fettle.ms } }, Fettle.yName(c, 'latency'))),
      tooltip: Object.assign(Fettle.base(c, {}).tooltip, {
        formatter: t => '<b>' + Fettle.escape(t.data.p.label) + '</b><br>' + t.data.which + ' ' + Fettle.ms(t.data.p[t.data.which]),
      }),
      series,
    }),
  };
};

/** The metric over two dimensions. The colour is linear in it; a cell without a valid trial is marked. */
Fettle.builders.heat = function (d, c, width) {
  const heat = d.heat.slices[Fettle.choice.slice];
  const cells = heat.cells;
  const of = q => d.heat.own ? q.own : d.heat.latency ? q.p99 : q.est;
  const show = d.heat.own ? v => Fettle.figure(d.heat.unit, v) : d.heat.latency ? Fettle.ms : Fettle.num;
  const known = d.heat.slices.flatMap(s => s.cells).filter(q => q.est !== undefined && of(q) !== undefined).map(of);
  const low = Math.min(...known);
  const span = Math.max(...known) - low || 1;
  const each = (width - 110) / heat.x.length;
  const parts = hex => [1, 3, 5].map(i => parseInt(hex.slice(i, i + 2), 16));
  const from = parts(c['heat-low']);
  const to = parts(c['heat-high']);
  const mixed = v => from.map((f, i) => Math.round(f + (to[i] - f) * (v - low) / span));
  const ink = rgb => rgb[0] * 0.3 + rgb[1] * 0.59 + rgb[2] * 0.11 > 140 ? '#14201f' : '#f4f7f6';
  return {
    height: Math.max(200, heat.y.length * 46 + 76),
    option: Fettle.base(c, {
      grid: { left: 8, right: 12, top: 26, bottom: 34, containLabel: true },
      xAxis: Fettle.axis(c, Object.assign({ type: 'category', data: heat.x, splitLine: { show: false },
        axisLine: { show: false } }, Fettle.xName(heat.xName))),
      yAxis: Fettle.axis(c, Object.assign({ type: 'category', data: heat.y, inverse: true, splitLine: { show: false },
        axisLine: { show: false } }, { name: heat.yName, nameLocation: 'start', nameGap: 10,
        nameTextStyle: { color: c.quiet, align: 'left', padding: [0, 0, 0, -6] } })),
      tooltip: Object.assign(Fettle.base(c, {}).tooltip, {
        formatter: t => {
          const q = cells[t.dataIndex];
          const at = heat.xName + ' ' + heat.x[q.x] + ', ' + heat.yName + ' ' + heat.y[q.y];
          return '<b>' + Fettle.escape(at) + '</b><br>' + (q.est === undefined ? Fettle.escape(q.problem)
            : Fettle.rate(q.est) + Fettle.bounds(q, Fettle.num) + '<br>p99 ' + Fettle.ms(q.p99)
            + (d.heat.own ? '<br>' + Fettle.escape(d.heat.own) + ' ' + (q.own === undefined ? 'not observed' : show(q.own)) : ''));
        },
      }),
      series: [{
        type: 'custom', data: cells.map(q => [q.x, q.y]),
        renderItem(params, api) {
          const q = cells[params.dataIndex];
          const size = api.size([1, 1]);
          const at = api.coord([q.x, q.y]);
          const rgb = q.est === undefined || of(q) === undefined ? null : mixed(of(q));
          const valid = q.est !== undefined; // it may be that the metric alone was not observed
          const text = rgb === null ? (valid ? '–' : each > 34 ? 'void' : '×') : each < 30 ? '' : each < 54 && !d.heat.latency && !d.heat.own ? Fettle.short(q.est) : show(of(q));
          return {
            type: 'rect',
            shape: { x: at[0] - size[0] / 2 + 1, y: at[1] - size[1] / 2 + 1, width: size[0] - 2, height: size[1] - 2, r: 3 },
            style: rgb === null ? { fill: 'none', stroke: c.line, lineDash: [3, 3] } : { fill: 'rgb(' + rgb.join(',') + ')' },
            textContent: { type: 'text', style: { text, fill: rgb !== null ? ink(rgb) : valid ? c.quiet : c.bad, fontSize: 12, fontFamily: Fettle.font } },
            textConfig: { position: 'inside' },
          };
        },
      }],
    }),
  };
};

Fettle.short = v => v >= 1000 ? +(v / 1000).toFixed(v >= 9950 ? 0 : 1) + 'k' : String(Math.round(v));

/** The percentile of a place on the axis of 1/(1-p), with as many digits as tell it from all. */
Fettle.percentile = x => +(100 * (1 - 1 / x)).toPrecision(Math.max(4, Math.ceil(Math.log10(x)) + 2));

/** Latency against 1/(1-p), the scale on which a rare answer gets as much room as a common one. */
Fettle.builders.latency = function (d, c, width) {
  const all = d.latency;
  const values = all.flatMap(s => s.points.map(p => p[1])).filter(v => v > 0);
  const log = Math.max(...values) / Math.min(...values) > 20;
  const x = p => 1 / Math.max(1e-9, 1 - p / 100);
  const legend = Fettle.legend(c, all.map(s => s.name), width);
  const colour = (s, n) => Fettle.role(c, s.role, s.hue === undefined ? n : s.hue);
  return {
    height: 300 + legend.room,
    option: Fettle.base(c, {
      grid: { left: 8, right: 22, top: legend.room + 26, bottom: 34, containLabel: true },
      legend: Object.assign(legend.option, { icon: undefined, itemWidth: 22 }),
      xAxis: Fettle.axis(c, Object.assign({ type: 'log', min: 1, max: 'dataMax',
        axisLabel: { color: c.quiet, fontSize: 12, hideOverlap: true, showMaxLabel: false, formatter: v => +(100 * (1 - 1 / v)).toPrecision(10) + ' %' } },
      Fettle.xName('percentile'))),
      yAxis: Fettle.axis(c, Object.assign({ type: log ? 'log' : 'value', min: log ? undefined : 0,
        axisLabel: { color: c.quiet, fontSize: 12, formatter: Fettle.ms } }, Fettle.yName(c, 'latency'))),
      tooltip: Object.assign(Fettle.base(c, {}).tooltip, {
        trigger: 'axis', axisPointer: { lineStyle: { color: c.quiet } },
        formatter: ts => '<b>' + Fettle.percentile(ts[0].value[0]) + ' %</b>'
          + ts.map(t => '<br>' + t.marker + Fettle.escape(t.seriesName) + ': ' + Fettle.ms(t.value[1])).join(''),
      }),
      series: all.map((s, n) => ({
        name: s.name, type: 'line', symbol: 'none', itemStyle: { color: colour(s, n) },
        lineStyle: { color: colour(s, n), width: 2, type: s.dash ? [7 - Math.min(5, s.dash), 4] : 'solid' }, data: s.points.filter(p => p[1] > 0).map(p => [x(p[0]), p[1]]),
      })),
    }),
  };
};
