'use strict';
/* What all plots share: colours from the style sheet, numbers as people read them, axes, whiskers. */
const Fettle = {
  data: JSON.parse(document.getElementById('data').textContent),
  builders: {},
  choice: { knob: 0, slice: 0 },

  /** The style sheet's colours as they are now, light or dark. */
  colours() {
    const style = getComputedStyle(document.documentElement);
    const of = name => style.getPropertyValue('--' + name).trim();
    const named = {};
    for (const n of ['bg', 'card', 'ink', 'quiet', 'line', 'accent', 'base', 'good', 'bad', 'warn', 'shade', 'heat-low',
      'heat-high']) {
      named[n] = of(n);
    }
    named.series = [1, 2, 3, 4, 5, 6, 7, 8].map(i => of('s' + i));
    return named;
  },

  role(colours, role, index) {
    if (role === 'baseline') {
      return colours.base;
    }
    return role === 'winner' ? colours.accent : colours.series[index % colours.series.length];
  },

  /* Figures as model.text.Format has them, in sentences and tables: both must give the same text. */

  /** What a double lacks to a decimal number, or has too much, is no reason for another digit. */
  exact: v => +v.toPrecision(15),

  grouped: (v, most, least) => v.toLocaleString('en-US', { minimumFractionDigits: least, maximumFractionDigits: most }),

  decimals: size => size >= 99.95 ? 0 : size >= 9.995 ? 1 : size >= 0.9995 ? 2 : 3,

  /** What is neither zero nor shown as that; else a number is left to be formatted. */
  odd: v => !Number.isFinite(v) ? '–' : v === 0 ? '0' : Math.abs(v) < 0.0005 ? v > 0 ? '< 0.001' : '> -0.001' : '',

  /** Three digits. */
  num(value) {
    const v = Fettle.exact(value);
    const decimals = Fettle.decimals(Math.abs(v));
    return Fettle.odd(v) || Fettle.grouped(v, decimals, decimals);
  },

  /** A count, which may be an average. */
  count(value) {
    const v = Fettle.exact(value);
    return Fettle.odd(v) || Fettle.grouped(v, Fettle.decimals(Math.abs(v)), 0);
  },

  rate: v => Number.isFinite(v) ? Fettle.num(v) + '/s' : '–',

  /** A share as per cent: two digits, and 100 % is all. */
  share(value) {
    if (!Number.isFinite(value)) {
      return '–';
    }
    const v = Fettle.exact(100 * value);
    const size = Math.abs(v);
    if (size >= 99.95 && size < 100) {
      return Fettle.grouped(Math.trunc(Fettle.exact(100 * v)) / 100, 2, 0) + ' %';
    }
    const decimals = size < 0.0995 ? 3 : size < 0.995 ? 2 : size < 9.95 || size >= 99.5 && size < 100 ? 1 : 0;
    return (Fettle.odd(v) || Fettle.grouped(v, decimals, 0)) + ' %';
  },

  /** A time in milliseconds. */
  ms(value) {
    if (!Number.isFinite(value) || value === 0) {
      return value === 0 ? '0 ms' : '–';
    }
    const nanos = Fettle.exact(1e6 * value);
    const size = Math.abs(nanos);
    if (size < 59.95e9) {
      const unit = size < 999.5 ? 0 : size < 999.5e3 ? 1 : size < 999.5e6 ? 2 : 3;
      return Fettle.num(nanos / Math.pow(1000, unit)) + [' ns', ' µs', ' ms', ' s'][unit];
    }
    const seconds = Math.round(Fettle.exact(size / 1e9));
    const parts = (large, unit, small, smallUnit) => (nanos < 0 ? '-' : '') + Fettle.grouped(large, 0, 0) + ' ' + unit
      + (small === 0 ? '' : ' ' + String(small).padStart(2, '0') + ' ' + smallUnit);
    return seconds < 3600 ? parts(Math.floor(seconds / 60), 'min', seconds % 60, 's')
      : parts(Math.floor((seconds + 30) / 3600), 'h', Math.floor((seconds + 30) % 3600 / 60), 'min');
  },

  /** Bytes in binary units. */
  bytes(value) {
    const sizes = ['KiB', 'MiB', 'GiB', 'TiB'];
    let size = -1;
    let left = value;
    while (Math.abs(Fettle.exact(left)) >= 999.5 && size < sizes.length - 1) {
      left /= 1024;
      size++;
    }
    return !Number.isFinite(value) ? '–' : size < 0 ? Fettle.count(value) + ' B' : Fettle.num(left) + ' ' + sizes[size];
  },

  /** A figure of an objective, in the unit of its axis. */
  figure: (unit, v) => unit === 'ms' ? Fettle.ms(v) : unit === 'µs' ? Fettle.ms(v / 1000) : unit === 'MiB' ? Fettle.bytes(1048576 * v) : Fettle.rate(v),

  /** For axes: no more digits than needed. */
  tick(v) {
    const size = Math.abs(v);
    if (size >= 1e6) {
      return +(v / 1e6).toFixed(2) + 'M';
    }
    return size >= 1e3 ? +(v / 1e3).toFixed(2) + 'k' : v.toLocaleString('en-US', { maximumSignificantDigits: 3 });
  },

  escape(text) {
    const to = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
    return String(text).replace(/[&<>"']/g, c => to[c]);
  },

  bounds(p, show) {
    return p.lo === undefined ? '' : ' [' + show(p.lo) + ', ' + show(p.hi) + ']';
  },

  /** Bounds for an axis of values: whole steps around what is to be seen, so that no grid line stands at an odd place. */
  nice(low, high, parts) {
    if (!(high > low)) {
      const room = 0.1 * Math.abs(low) || 1;
      return Fettle.nice(low - room, low + room, parts);
    }
    const rough = (high - low) / parts;
    const power = Math.pow(10, Math.floor(Math.log10(rough)));
    const step = [1, 2, 5, 10].map(s => s * power).find(s => s >= rough);
    return { min: Math.floor(low / step) * step, max: Math.ceil(high / step) * step, interval: step };
  },

  /** Bounds for a logarithmic axis: whole powers of two around what is to be seen. */
  powers(low, high) {
    if (!(high > low)) {
      return Fettle.powers(low / 2, low * 2);
    }
    return { min: Math.pow(2, Math.floor(Math.log2(low))), max: Math.pow(2, Math.ceil(Math.log2(high))) };
  },

  font: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif',

  /** The options every plot starts from. */
  base(c, more) {
    return Object.assign({
      animation: false,
      backgroundColor: 'transparent',
      textStyle: { fontFamily: Fettle.font, color: c.ink },
      grid: { left: 8, right: 18, top: 34, bottom: 30, containLabel: true },
      tooltip: {
        confine: true, backgroundColor: c.card, borderColor: c.line, borderWidth: 1, padding: [6, 10],
        textStyle: { color: c.ink, fontSize: 12, fontFamily: Fettle.font },
        extraCssText: 'box-shadow:0 2px 12px rgba(0,0,0,.14);max-width:18rem;white-space:normal',
      },
    }, more);
  },

  /** Names that wrap, and the room they take above the plot. */
  legend(c, names, width) {
    const context = Fettle.measure || (Fettle.measure = document.createElement('canvas').getContext('2d'));
    context.font = '12px ' + Fettle.font;
    let rows = 1;
    let at = 0;
    for (const name of names) {
      const wide = Math.min(context.measureText(name).width, width - 60) + 16 + 5 + 16;
      if (at > 0 && at + wide > width - 16) {
        rows++;
        at = 0;
      }
      at += wide;
    }
    return {
      rows,
      option: {
        type: 'plain', top: 2, left: 0, right: 0, itemWidth: 16, itemHeight: 7, itemGap: 14, icon: 'roundRect', data: names,
        padding: [4, 4], inactiveColor: c.line,
        textStyle: { color: c.quiet, fontSize: 12, lineHeight: 16, width: width - 60, overflow: 'truncate' },
      },
      room: rows * 30 + 8,
    };
  },

  axis(c, more) {
    return Object.assign({
      axisLine: { onZero: false, lineStyle: { color: c.line } },
      axisTick: { show: false },
      axisLabel: { color: c.quiet, fontSize: 12, hideOverlap: true, formatter: more.type === 'category' ? undefined : Fettle.tick },
      splitLine: { lineStyle: { color: c.line, width: 1, opacity: 0.7 } },
      minorSplitLine: { show: false },
      nameTextStyle: { color: c.quiet, fontSize: 12 },
    }, more);
  },

  xName(name) {
    return { name, nameLocation: 'middle', nameGap: 30 };
  },

  yName(c, name) {
    return { name, nameLocation: 'end', nameGap: 12, nameTextStyle: { color: c.quiet, fontSize: 12, align: 'left', padding: [0, 0, 0, -4] } };
  },

  /** Interval whiskers; a data item is [x, y, low, high] with the interval along the axis named. */
  whiskers(along, colourOf, data, more) {
    return Object.assign({
      type: 'custom', silent: true, z: 3, data,
      encode: along === 'y' ? { x: 0, y: [2, 3] } : { x: [2, 3], y: 1 },
      renderItem(params, api) {
        const x = api.value(0);
        const y = api.value(1);
        const from = along === 'y' ? api.coord([x, api.value(2)]) : api.coord([api.value(2), y]);
        const to = along === 'y' ? api.coord([x, api.value(3)]) : api.coord([api.value(3), y]);
        const style = { stroke: colourOf(params.dataIndex), lineWidth: 1.6, fill: 'none' };
        const cap = 4;
        const line = (x1, y1, x2, y2) => ({ type: 'line', shape: { x1, y1, x2, y2 }, style });
        const ends = along === 'y'
          ? [line(from[0] - cap, from[1], from[0] + cap, from[1]), line(to[0] - cap, to[1], to[0] + cap, to[1])]
          : [line(from[0], from[1] - cap, from[0], from[1] + cap), line(to[0], to[1] - cap, to[0], to[1] + cap)];
        return { type: 'group', children: [line(from[0], from[1], to[0], to[1]), ...ends] };
      },
    }, more);
  },
};
