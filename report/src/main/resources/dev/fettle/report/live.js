'use strict';
/* A page that goes on: takes what has changed, and changes only that, so that what a reader has opened or chosen stays. */
(function () {
  const bar = document.getElementById('live');
  const main = document.querySelector('main');
  let model = { main: [...main.children].map(() => null), data: Fettle.data, state: JSON.parse(bar.dataset.state) };
  let version = bar.dataset.version;
  let heard = Date.now();
  let over = bar.classList.contains('ended');

  /** A change as PageChange writes it: v a value in its place, o fields, d fields that are gone, n a length, a elements, t more of them. */
  function applied(old, c) {
    if ('v' in c) {
      return c.v;
    }
    if ('n' in c) {
      old.length = Math.min(old.length, c.n);
      Object.keys(c.a || {}).forEach(i => { old[i] = applied(old[i], c.a[i]); });
      (c.t || []).forEach(v => old.push(v));
      return old;
    }
    Object.keys(c.o || {}).forEach(k => { old[k] = applied(old[k], c.o[k]); });
    (c.d || []).forEach(k => { delete old[k]; });
    return old;
  }

  const drawnByScript = n => n.matches && n.matches('.chart, .flame, .chips, thead');

  /** Makes one element like another, and keeps what is the same. What scripts have drawn, opened or chosen stays as it is. */
  function morph(is, wanted) {
    if (is.nodeType !== wanted.nodeType || is.nodeName !== wanted.nodeName) {
      is.replaceWith(wanted);
      return;
    }
    if (is.nodeType !== Node.ELEMENT_NODE) {
      if (is.data !== wanted.data) {
        is.data = wanted.data;
      }
      return;
    }
    const kept = is.nodeName === 'DETAILS' ? ['open'] : is.nodeName === 'TR' ? ['hidden'] : drawnByScript(is) || is.matches('.scroll, pre') ? ['class', 'style', 'hidden'] : [];
    [...wanted.attributes].forEach(a => {
      if (!kept.includes(a.name) && is.getAttribute(a.name) !== a.value) {
        is.setAttribute(a.name, a.value);
      }
    });
    [...is.attributes].forEach(a => {
      if (!kept.includes(a.name) && !wanted.hasAttribute(a.name) && !/^(data-hinted|_echarts)/.test(a.name)) {
        is.removeAttribute(a.name);
      }
    });
    if (is.nodeName === 'THEAD' && is.textContent !== wanted.textContent) {
      is.replaceWith(wanted);
      return;
    }
    if (drawnByScript(is)) {
      return;
    }
    const chosen = is.nodeName === 'SELECT' ? is.value : undefined;
    children(is, [...wanted.childNodes]);
    if (chosen !== undefined && [...is.options].some(o => o.value === chosen)) {
      is.value = chosen;
    }
  }

  function children(is, wanted) {
    const old = [...is.childNodes].filter(n => !(n.matches && n.matches('.filter')));
    wanted.forEach((w, i) => {
      if (i < old.length) {
        morph(old[i], w);
      } else {
        is.append(w);
      }
    });
    old.slice(wanted.length).forEach(n => n.remove());
  }

  function parsed(markup) {
    const place = document.createElement('template');
    place.innerHTML = markup;
    return [...place.content.childNodes];
  }

  /** Each part of the page has a place of its own. */
  function blocks(list) {
    list.forEach((markup, i) => {
      if (markup === null) {
        return;
      }
      if (i >= main.children.length) {
        const place = document.createElement('div');
        place.className = 'part';
        main.append(place);
      }
      const place = main.children[i];
      const wanted = parsed(markup);
      const id = n => (n && n.id) || '';
      if (id(place.firstElementChild) === id(wanted.find(n => n.nodeType === Node.ELEMENT_NODE))) {
        children(place, wanted);
      } else {
        place.replaceChildren(...wanted);
      }
      list[i] = null; // shown
    });
    [...main.children].slice(list.length).forEach(n => n.remove());
  }

  /** Loads the page again, if it is still there: else what is shown would be lost. */
  function again() {
    fetch(location.href).then(r => { if (r.ok) { location.reload(); } }).catch(() => {});
  }

  function state(s) {
    document.getElementById('doing').textContent = s.doing;
    bar.querySelectorAll('[data-act]').forEach(b => { b.hidden = !s.buttons.includes(b.dataset.act); });
    if (s.ended && !over) {
      over = true;
      again(); // it is the report now
    }
  }

  function take(event) {
    heard = Date.now();
    bar.classList.remove('lost');
    const on = new Map((model.data.time || []).map(t => [t.name, t.on]));
    const trials = (model.data.time || []).length;
    const watched = JSON.stringify((model.data.watch || {}).plots || 0);
    model = applied(model, JSON.parse(event.data));
    version = event.lastEventId;
    Fettle.data = model.data;
    (model.data.time || []).forEach(t => { t.on = on.has(t.name) ? on.get(t.name) : t.on; });
    if (model.title) {
      document.title = model.title;
    }
    if (model.header) {
      morph(document.querySelector('header'), parsed(model.header)[0]);
      model.header = null;
    }
    blocks(model.main);
    if (model.state) {
      state(model.state);
    }
    Fettle.renew((model.data.time || []).length !== trials, JSON.stringify((model.data.watch || {}).plots || 0) !== watched);
  }

  function act(button) {
    const what = button.dataset.act;
    const note = what === 'mark' ? prompt('Note for this moment:') : '';
    if (note === null || what === 'stop' && !confirm('End the run now? What was measured is kept.')) {
      return;
    }
    button.disabled = true;
    fetch('act/' + what, { method: 'POST', body: note, headers: { 'Fettle-Secret': bar.dataset.secret } })
      .then(r => r.text())
      .then(text => { document.getElementById('doing').textContent = text; })
      .catch(() => { document.getElementById('doing').textContent = 'Fettle does not answer.'; })
      .finally(() => setTimeout(() => { button.disabled = false; }, 1500));
  }

  bar.querySelectorAll('[data-act]').forEach(b => b.addEventListener('click', () => act(b)));
  if (over) {
    return;
  }
  const stream = new EventSource('events?from=' + encodeURIComponent(version));
  stream.addEventListener('change', take);
  stream.addEventListener('open', () => { heard = Date.now(); });
  setInterval(() => {
    if (!over && stream.readyState !== EventSource.OPEN && Date.now() - heard > 8000) {
      bar.classList.add('lost');
      document.getElementById('doing').textContent = 'Fettle does not answer: it has ended, or the tunnel is closed. What you see is what it sent last.';
    }
    if (stream.readyState === EventSource.CLOSED) {
      again();
    }
  }, 2000);
})();
