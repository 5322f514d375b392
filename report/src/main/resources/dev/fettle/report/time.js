'use strict';
/* Throughput over time: the trials that the reader chose, aligned where measuring began. */
Fettle.builders.time = function (d, c, width) {
  const shown = d.time.filter(t => t.on);
  const from = Math.min(0, ...shown.flatMap(t => t.points.map(p => p[0])));
  const colour = t => Fettle.role(c, t.role, t.hue);
  const series = shown.map(t => ({
    name: t.name, type: 'line', symbol: t.points.length < 3 ? 'circle' : 'none', itemStyle: { color: colour(t) },
    lineStyle: { color: colour(t), width: 1.8, type: t.valid ? 'solid' : [5, 4] },
    data: t.points.map(p => ({ value: [p[0], p[1]], p })),
  }));
  if (series.length > 0 && from < 0) {
    series[0].markArea = {
      silent: true, animation: false, itemStyle: { color: c.shade },
      label: { show: true, position: 'insideTopLeft', color: c.quiet, fontSize: 12 },
      data: [[{ name: 'warm-up', xAxis: from }, { xAxis: 0 }]],
    };
  }
  const legend = Fettle.legend(c, shown.map(t => t.name), width);
  return {
    height: 300 + legend.room,
    option: Fettle.base(c, {
      grid: { left: 8, right: 18, top: legend.room + 26, bottom: 34, containLabel: true },
      legend: Object.assign(legend.option, { icon: undefined, itemWidth: 22 }),
      xAxis: Fettle.axis(c, Object.assign({ type: 'value', min: from, max: 'dataMax', splitLine: { show: false },
        axisLabel: { color: c.quiet, fontSize: 12, hideOverlap: true, showMinLabel: from >= 0, showMaxLabel: false, formatter: v => Fettle.tick(v) + ' s' } },
      Fettle.xName('since measuring began'))),
      yAxis: Fettle.axis(c, Object.assign({ type: 'value', min: 0 }, Fettle.yName(c, 'requests per second'))),
      tooltip: Object.assign(Fettle.base(c, {}).tooltip, {
        trigger: 'axis', axisPointer: { lineStyle: { color: c.quiet } },
        formatter: ts => ts.map(t => t.marker + Fettle.escape(t.seriesName) + '<br>' + Fettle.rate(t.value[1])
          + (t.data.p[2] === null ? '' : ', p99 ' + Fettle.ms(t.data.p[2]))).join('<br>'),
      }),
      series,
    }),
  };
};

/** A check box for each trial. */
Fettle.chips = function (redraw) {
  const field = document.querySelector('[data-chips="time"]');
  if (!field) {
    return;
  }
  field.hidden = false;
  field.querySelectorAll('label').forEach(l => l.remove());
  for (const trial of [...Fettle.data.time].sort((a, b) => b.on - a.on)) {
    const label = document.createElement('label');
    const box = document.createElement('input');
    const name = document.createElement('span');
    box.type = 'checkbox';
    box.checked = trial.on;
    name.textContent = trial.name;
    label.append(box, name);
    field.append(label);
    box.addEventListener('change', () => {
      trial.on = box.checked;
      redraw('time');
    });
  }
};
