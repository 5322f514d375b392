'use strict';
/* Brings the page to life: plots, sorting, copying. Without it everything can still be read. */
(function () {
  const drawn = new Map();

  function draw(box) {
    const name = box.dataset.chart;
    const colours = Fettle.colours();
    const built = Fettle.builders[name](Fettle.data, colours, box.clientWidth);
    if (built.height) {
      box.style.height = built.height + 'px';
    }
    let chart = drawn.get(box);
    if (!chart) {
      chart = echarts.init(box, null, { renderer: 'svg' });
      drawn.set(box, chart);
    } else {
      chart.resize();
    }
    chart.group = name === 'time' || name.startsWith('watch-') ? 'clock' : ''; // one cursor over all of them
    chart.setOption(built.option, true);
  }

  function boxes() {
    return [...document.querySelectorAll('[data-chart]')];
  }

  function redraw(...names) {
    boxes().filter(b => names.length === 0 || names.includes(b.dataset.chart)).forEach(draw);
  }

  function sortable(table) {
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, column) => {
      const button = document.createElement('button');
      button.type = 'button';
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener('click', () => {
        const down = head.getAttribute('aria-sort') === 'ascending';
        heads.forEach(h => h.removeAttribute('aria-sort'));
        head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
        const key = row => {
          const cell = row.cells[column];
          return cell.dataset.sort === undefined ? cell.textContent : Number(cell.dataset.sort);
        };
        // what has no figure, as a void cell, comes last both ways
        const order = (a, b) => {
          const [x, y] = [key(a), key(b)];
          if (typeof x !== typeof y) {
            return typeof x === 'number' ? -1 : 1;
          }
          return (down ? -1 : 1) * (typeof x === 'number' ? x - y : x.localeCompare(y, 'en', { numeric: true }));
        };
        const rows = [...table.tBodies[0].rows].sort(order);
        table.tBodies[0].append(...rows);
      });
    });
  }

  /** A long table has a field that leaves the rows with all of its words; an address may fill it: ?q=tomcat. */
  function filtered(table) {
    const rows = () => [...table.tBodies[0].rows];
    if (rows().length < 12) {
      return;
    }
    const label = document.createElement('label');
    const field = document.createElement('input');
    const left = document.createElement('output');
    field.type = 'search';
    field.value = new URLSearchParams(location.search).get('q') || '';
    label.className = 'filter';
    label.append('Filter ', field, ' ', left);
    table.closest('.scroll').before(label);
    const look = () => {
      const words = field.value.toLowerCase().split(/\s+/).filter(w => w);
      let shown = 0;
      rows().forEach(row => {
        row.hidden = !words.every(w => row.textContent.toLowerCase().includes(w));
        shown += row.hidden ? 0 : 1;
      });
      left.textContent = words.length ? shown + ' of ' + rows().length : '';
    };
    field.addEventListener('input', look);
    look();
  }

  function copyable(button) {
    const code = button.closest('.snippet').querySelector('code');
    button.hidden = false;
    button.addEventListener('click', async () => {
      try {
        await navigator.clipboard.writeText(code.textContent);
      } catch (refused) {
        const range = document.createRange();
        range.selectNodeContents(code);
        getSelection().removeAllRanges();
        getSelection().addRange(range);
        document.execCommand('copy');
      }
      button.textContent = 'Copied';
      setTimeout(() => { button.textContent = 'Copy'; }, 2000);
    });
  }

  /** What is wider than the page fades out at the side to which it can be scrolled. */
  function hinted(box) {
    const look = () => {
      box.classList.toggle('more', box.scrollWidth - box.clientWidth - box.scrollLeft > 4);
      box.classList.toggle('less', box.scrollLeft > 4);
    };
    box.addEventListener('scroll', look, { passive: true });
    new ResizeObserver(look).observe(box);
    look();
  }

  function choosable(select) {
    const name = () => select.options[Fettle.choice[select.dataset.choose]].textContent;
    select.addEventListener('change', () => {
      const before = 'against ' + name();
      Fettle.choice[select.dataset.choose] = Number(select.value);
      const shown = select.dataset.choose === 'watch' ? Fettle.data.watch.plots.map(p => p.id) : ['throughput', 'percentiles', 'heat'];
      redraw(...shown);
      boxes().filter(b => shown.includes(b.dataset.chart) && b.getAttribute('aria-label').endsWith(before)).forEach(b =>
        b.setAttribute('aria-label', b.getAttribute('aria-label').slice(0, -before.length) + 'against ' + name()));
    });
  }

  const alive = new WeakSet();

  /** Brings what is new on the page to life. */
  function enliven() {
    const each = (what, make) => document.querySelectorAll(what).forEach(n => {
      if (!alive.has(n)) {
        alive.add(n);
        make(n);
      }
    });
    each('.scroll, pre', hinted);
    each('details.data', d => { d.open = false; });
    each('table[data-sortable] thead', h => sortable(h.parentElement));
    each('table[data-sortable]', filtered);
    each('button[data-copy]', copyable);
    each('select[data-choose]', choosable);
  }

  document.documentElement.classList.add('js');
  enliven();
  if (Fettle.data.time) {
    Fettle.chips(redraw);
  }
  redraw();
  echarts.connect('clock');

  /** What is out of sight is drawn when it comes into sight. */
  const stale = new Set();
  let sight = null;

  /** After the data has changed: {trials} there are others over time, {plots} there are other plots of what was watched. */
  Fettle.renew = function (trials, plots) {
    enliven();
    if (plots) {
      Fettle.watchPlots();
    }
    if (trials) {
      Fettle.chips(redraw);
    }
    const there = new Set(boxes());
    [...drawn].filter(([box]) => !there.has(box)).forEach(([box, chart]) => {
      chart.dispose();
      drawn.delete(box);
    });
    sight = sight || new IntersectionObserver(seen => seen.forEach(e => {
      e.target.inSight = e.isIntersecting;
      if (e.isIntersecting && stale.delete(e.target)) {
        draw(e.target);
      }
    }), { rootMargin: '200px' });
    there.forEach(box => {
      if (box.inSight === undefined) {
        box.inSight = false;
        sight.observe(box);
      }
      if (box.inSight && !document.hidden) {
        draw(box);
      } else {
        stale.add(box);
      }
    });
  };
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) {
      [...stale].filter(box => box.inSight).forEach(box => {
        stale.delete(box);
        draw(box);
      });
    }
  });

  let width = document.documentElement.clientWidth;
  addEventListener('resize', () => {
    if (document.documentElement.clientWidth !== width) {
      width = document.documentElement.clientWidth;
      redraw();
    }
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => redraw());

  /** A sheet of paper is narrower than most windows: what is drawn for those would be cut off. */
  function fit(wide) {
    document.body.style.width = wide;
    redraw();
    dispatchEvent(new Event('resize')); // flame graphs
  }

  addEventListener('beforeprint', () => fit('17cm'));
  addEventListener('afterprint', () => fit(''));
})();
