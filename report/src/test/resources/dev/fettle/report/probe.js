'use strict';
/* Watches a report from within and tells the page around it what it saw. Runs before every other script. */
(function () {
  const errors = [];
  addEventListener('error', e => errors.push(e.message || String(e.target && e.target.tagName)), true);
  addEventListener('unhandledrejection', e => errors.push(String(e.reason)));
  document.addEventListener('securitypolicyviolation', e => errors.push(e.violatedDirective + ' ' + e.blockedURI + ' ' + e.sample));
  for (const level of ['error', 'warn']) {
    const before = console[level];
    console[level] = (...all) => {
      errors.push(all.join(' '));
      before.apply(console, all);
    };
  }
  addEventListener('load', () => setTimeout(() => {
    const drawn = box => {
      const svg = box.querySelector('svg, canvas');
      const size = svg && svg.getBoundingClientRect();
      const shapes = svg ? svg.querySelectorAll('path, rect, line, text').length : 0;
      return Boolean(size && size.width > 0 && size.height > 0 && shapes > 3);
    };
    const boxes = [...document.querySelectorAll('[data-chart]')];
    parent.postMessage({
      errors: errors.join(' | '),
      inner: String(innerWidth),
      scroll: String(document.scrollingElement.scrollWidth),
      drawn: String(boxes.filter(drawn).length),
      undrawn: boxes.filter(b => !drawn(b)).map(b => b.dataset.chart).join(' '),
    }, '*');
  }, 500));
})();
