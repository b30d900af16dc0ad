/// <reference lib="dom" />

/**
 * Shows and hides what the page holds already. It runs in a browser: its own text is the script of the page, so it
 * uses nothing from outside.
 */
function page(): void {
  const events = [...document.querySelectorAll('article')];
  const boxes = [...document.querySelectorAll<HTMLInputElement>('[name=type]')];
  const path = document.querySelector<HTMLInputElement>('#path');
  const fold = document.querySelector('#fold');
  const status = document.querySelector('[role=status]');
  if (!path || !fold || !status) return;

  const paths = new Set(events.flatMap(({ dataset }) => dataset['path'] ?? []));
  const options = [...paths].toSorted().map((value) => {
    const option = document.createElement('option');
    option.value = value;
    return option;
  });
  document.querySelector('#paths')?.append(...options);

  const folded = (text: string): string => text.normalize('NFKC').toLowerCase();

  function refresh(input: HTMLInputElement, output: Element): void {
    const types = new Set(boxes.filter(({ checked }) => checked).map(({ value }) => value));
    const asked = folded(input.value);
    let shown = 0;
    for (const event of events) {
      const { type = '', path: file = '' } = event.dataset;
      const fits = types.has(type) && (asked === '' || folded(file).includes(asked));
      if (event.hidden === fits) event.hidden = !fits;
      if (fits) shown++;
    }
    const all = events.length;
    output.textContent = shown === all ? `${shown} events` : `${shown} of ${all} events shown`;
  }

  /** An address leads to an event, also to one that is hidden or folded. */
  function jump(input: HTMLInputElement, output: Element): void {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    if (target.hidden) {
      for (const box of boxes) box.checked = true;
      input.value = '';
      refresh(input, output);
    }
    for (const part of target.querySelectorAll('details')) part.open = true;
    target.scrollIntoView?.({ block: 'start' });
  }

  for (const box of boxes) box.addEventListener('change', () => refresh(path, status));
  path.addEventListener('input', () => refresh(path, status));
  fold.addEventListener('click', () => {
    const open = fold.getAttribute('aria-pressed') !== 'true';
    fold.setAttribute('aria-pressed', String(open));
    for (const part of document.querySelectorAll('details')) part.open = open;
  });
  addEventListener('hashchange', () => jump(path, status));
  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (event.key === 'Escape' && path.value !== '') {
      path.value = '';
      refresh(path, status);
    } else if (event.key === '/' && document.activeElement !== path) {
      event.preventDefault();
      path.focus();
    }
  });
  refresh(path, status);
  jump(path, status);
}

/** The script of the page. */
export const PAGE_SCRIPT: string = `'use strict';(${page.toString()})();`;
