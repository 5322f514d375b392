'use strict';
/* Flame graphs: widths are shares of the whole, a frame stands on the one that called it. Click or press arrow keys to zoom, search to mark. */
(function () {
  const ROW = 19;
  const LEAST = 0.4;

  function tree(flame, inverted) {
    const root = { name: 'all', w: 0, b: 0, children: new Map() };
    const put = (stacks, side) => (stacks || []).forEach(stack => {
      let node = root;
      node[side] += stack[0];
      const frames = stack.slice(1);
      (inverted ? frames.reverse() : frames).forEach(f => {
        let child = node.children.get(f);
        if (!child) {
          child = { name: flame.frames[f], w: 0, b: 0, children: new Map(), parent: node };
          node.children.set(f, child);
        }
        child[side] += stack[0];
        node = child;
      });
    });
    put(flame.stacks, 'w');
    put(flame.before, 'b');
    return root;
  }

  /* Shares, so that a profile of twice the length is not twice as hot. */
  const shareOf = (node, root, side) => root[side] > 0 ? node[side] / root[side] : 0;

  function mix(a, b, t) {
    const of = c => [1, 3, 5].map(i => parseInt(c.slice(i, i + 2), 16));
    const [x, y] = [of(a), of(b)];
    return 'rgb(' + x.map((v, i) => Math.round(v + (y[i] - v) * t)).join(',') + ')';
  }

  function hash(text) {
    let h = 0;
    for (let i = 0; i < text.length; i++) {
      h = (h * 31 + text.charCodeAt(i)) | 0;
    }
    return (h >>> 0) % 1000 / 1000;
  }

  function packageOf(name) {
    return name.split('.').slice(0, 3).join('.');
  }

  function short(name) {
    const parts = name.split('.');
    return name.startsWith('[') || parts.length < 2 ? name : parts.slice(-2).join('.');
  }

  function amount(v, unit) {
    return unit === 'ms' ? Fettle.ms(v) : Fettle.bytes(v);
  }

  function build(box) {
    const flame = Fettle.data.flames[Number(box.dataset.flame)];
    const twoSided = Boolean(flame.before);
    const state = { inverted: false, side: 'w', query: '', root: null, at: null, boxes: [] };
    const tools = document.createElement('p');
    tools.className = 'tools';
    const button = (text, pressed, act) => {
      const b = document.createElement('button');
      b.type = 'button';
      b.textContent = text;
      if (pressed !== null) {
        b.setAttribute('aria-pressed', pressed);
      }
      b.addEventListener('click', () => act(b));
      tools.append(b);
      return b;
    };
    const search = document.createElement('input');
    search.type = 'search';
    search.placeholder = 'Search frames';
    search.setAttribute('aria-label', 'Search frames');
    const found = document.createElement('span');
    found.className = 'found';
    found.setAttribute('aria-live', 'polite');
    const view = document.createElement('div');
    view.className = 'view';
    view.tabIndex = 0;
    const canvas = document.createElement('canvas');
    canvas.setAttribute('role', 'img');
    canvas.setAttribute('aria-label', 'Flame graph: ' + flame.title + '; the table below has its heaviest frames');
    const about = document.createElement('p');
    about.className = 'about';
    view.append(canvas);

    function plant() {
      state.root = tree(flame, state.inverted);
      state.at = state.root;
      paint();
    }

    button('Callers first', 'true', () => turn(false));
    button('Called first', 'false', () => turn(true));
    function turn(inverted) {
      state.inverted = inverted;
      tools.querySelectorAll('button')[0].setAttribute('aria-pressed', String(!inverted));
      tools.querySelectorAll('button')[1].setAttribute('aria-pressed', String(inverted));
      plant();
    }
    if (twoSided) {
      const sides = ['b', 'w'].map((side, i) => button('Widths: ' + flame.names[i], String(side === 'w'), () => {
        state.side = side;
        sides.forEach((b, k) => b.setAttribute('aria-pressed', String(k === i)));
        paint();
      }));
    }
    button('Whole', null, () => { state.at = state.root; paint(); });
    tools.append(search, found);
    search.addEventListener('input', () => { state.query = search.value.trim().toLowerCase(); paint(); });

    function colour(node, colours) {
      if (twoSided) {
        const [now, then] = [shareOf(node, state.root, 'w'), shareOf(node, state.root, 'b')];
        const change = Math.max(-1, Math.min(1, 8 * (now - then)));
        return mix(colours.plain, change > 0 ? colours.more : colours.less, Math.sqrt(Math.abs(change)));
      }
      if (node.name.startsWith('[')) {
        return colours.note;
      }
      return mix(colours.low, colours.high, 0.15 + 0.7 * hash(packageOf(node.name)));
    }

    /* The frames from the outermost to where it was zoomed to are drawn at full width. */
    function paint() {
      const dark = matchMedia('(prefers-color-scheme: dark)').matches;
      const colours = dark
        ? { low: '#7a4a1f', high: '#a8402f', note: '#3d5a5a', plain: '#3a4046', more: '#b3402c', less: '#2f6fb0', ink: '#f2f0ec' }
        : { low: '#f6d98f', high: '#ee9a6c', note: '#b9d8d4', plain: '#e6e3dc', more: '#e0604a', less: '#5a9bd8', ink: '#1e2428' };
      const width = Math.max(50, view.clientWidth || box.clientWidth);
      const path = [];
      for (let n = state.at; n; n = n.parent) {
        path.unshift(n);
      }
      state.boxes = [];
      let depth = 0;
      const base = Math.max(state.at[state.side], 1e-9);
      const lay = (node, x, w, row) => {
        state.boxes.push({ node, x, w, row });
        depth = Math.max(depth, row);
        let left = x;
        [...node.children.values()].sort((a, b) => a.name < b.name ? -1 : 1).forEach(c => {
          const wide = c[state.side] / base * width;
          if (wide >= LEAST) {
            lay(c, left, wide, row + 1);
          }
          left += wide;
        });
      };
      path.slice(0, -1).forEach((n, row) => state.boxes.push({ node: n, x: 0, w: width, row }));
      lay(state.at, 0, width, path.length - 1);
      const scale = window.devicePixelRatio || 1;
      const height = Math.min((depth + 1) * ROW, 8000);
      canvas.width = width * scale;
      canvas.height = height * scale;
      canvas.style.height = height + 'px';
      const g = canvas.getContext('2d');
      g.scale(scale, scale);
      g.font = '12px system-ui, sans-serif';
      g.textBaseline = 'middle';
      let marked = 0;
      const inMarked = node => {
        for (let n = node.parent; n; n = n.parent) {
          if (n.hit) {
            return true;
          }
        }
        return false;
      };
      if (state.query) {
        const all = [state.root];
        while (all.length) {
          const n = all.pop();
          n.hit = n.name.toLowerCase().includes(state.query);
          if (n.hit && !inMarked(n)) {
            marked += n[state.side];
          }
          all.push(...n.children.values());
        }
      }
      state.boxes.forEach(b => {
        g.fillStyle = state.query && b.node.hit ? '#b04ad0' : colour(b.node, colours);
        g.globalAlpha = state.query && !b.node.hit ? 0.45 : 1;
        g.fillRect(b.x, b.row * ROW, Math.max(b.w - 0.6, 0.4), ROW - 1);
        g.globalAlpha = 1;
        if (b.w > 34) {
          g.save();
          g.beginPath();
          g.rect(b.x, b.row * ROW, b.w - 3, ROW);
          g.clip();
          g.fillStyle = state.query && b.node.hit ? '#ffffff' : colours.ink;
          g.fillText(short(b.node.name), b.x + 4, b.row * ROW + ROW / 2);
          g.restore();
        }
      });
      found.textContent = state.query ? Fettle.share(marked / Math.max(state.root[state.side], 1e-9)) + ' of all' : '';
      tell(state.at);
    }

    function tell(node) {
      let text = node.name + ': ' + amount(node.w, flame.unit) + ', ' + Fettle.share(shareOf(node, state.root, 'w')) + ' of all';
      if (twoSided) {
        text = node.name + ': ' + flame.names[1] + ' ' + Fettle.share(shareOf(node, state.root, 'w')) + ', '
          + flame.names[0] + ' ' + Fettle.share(shareOf(node, state.root, 'b')) + ' of all';
      }
      about.textContent = text;
    }

    function hit(event) {
      const r = canvas.getBoundingClientRect();
      const [x, row] = [event.clientX - r.left, Math.floor((event.clientY - r.top) / ROW)];
      const b = state.boxes.find(o => o.row === row && x >= o.x && x < o.x + o.w);
      return b && b.node;
    }
    /* The keys of a tree: down to the widest frame on this one, up to its caller, left and right to its neighbours. */
    function next(key) {
      const wide = n => n[state.side] > 0;
      const around = [...(state.at.parent ? state.at.parent.children.values() : [])].filter(wide).sort((a, b) => a.name < b.name ? -1 : 1);
      const i = around.indexOf(state.at);
      switch (key) {
        case 'Enter':
        case 'ArrowDown': return [...state.at.children.values()].filter(wide).sort((a, b) => b[state.side] - a[state.side])[0];
        case 'ArrowUp': return state.at.parent;
        case 'ArrowLeft': return around[i - 1];
        case 'ArrowRight': return around[i + 1];
        case 'Escape': return state.root;
        default: return undefined;
      }
    }
    view.addEventListener('keydown', e => {
      const to = next(e.key);
      if (to && !e.ctrlKey && !e.altKey && !e.metaKey) {
        e.preventDefault();
        state.at = to;
        paint();
      }
    });
    canvas.addEventListener('mousemove', e => { const n = hit(e); if (n) { tell(n); } });
    canvas.addEventListener('mouseleave', () => tell(state.at));
    canvas.addEventListener('click', e => {
      const n = hit(e);
      if (n) {
        state.at = n;
        paint();
      }
    });
    box.append(tools, view, about);
    addEventListener('resize', paint);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', paint);
    plant();
  }

  document.querySelectorAll('[data-flame]').forEach(build);
})();
