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
    let chart = drawn.get(name);
    if (!chart) {
      chart = echarts.init(box, null, { renderer: 'svg' });
      if (name === 'time' || name.startsWith('watch-')) {
        chart.group = 'clock'; // one cursor over all of them
      }
      drawn.set(name, chart);
    } else {
      chart.resize();
    }
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
        const order = (a, b) => {
          const [x, y] = [key(a), key(b)];
          if (typeof x === 'number' && typeof y === 'number') {
            return x - y;
          }
          return typeof x === typeof y ? x.localeCompare(y, 'en', { numeric: true }) : typeof x === 'number' ? -1 : 1;
        };
        const rows = [...table.tBodies[0].rows].sort((a, b) => down ? order(b, a) : order(a, b));
        table.tBodies[0].append(...rows);
      });
    });
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

  document.documentElement.classList.add('js');
  document.querySelectorAll('.scroll, pre').forEach(hinted);
  document.querySelectorAll('details.data').forEach(d => { d.open = false; });
  document.querySelectorAll('table[data-sortable]').forEach(sortable);
  document.querySelectorAll('button[data-copy]').forEach(copyable);
  document.querySelectorAll('select[data-choose]').forEach(select => select.addEventListener('change', () => {
    Fettle.choice[select.dataset.choose] = Number(select.value);
    redraw(...select.dataset.choose === 'watch' ? Fettle.data.watch.plots.map(p => p.id) : ['throughput', 'percentiles', 'heat']);
  }));
  if (Fettle.data.time) {
    Fettle.chips(redraw);
  }
  redraw();
  echarts.connect('clock');

  let width = document.documentElement.clientWidth;
  addEventListener('resize', () => {
    if (document.documentElement.clientWidth !== width) {
      width = document.documentElement.clientWidth;
      redraw();
    }
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => redraw());
})();
