/** What the page does: everything stands in it already, the script shows and hides. */
export const PAGE_SCRIPT: string = String.raw`
'use strict';
const events = [...document.querySelectorAll('article')];
const boxes = [...document.querySelectorAll('[name=type]')];
const path = document.querySelector('#path');
const fold = document.querySelector('#fold');
const status = document.querySelector('[role=status]');

const paths = new Set(events.map(({ dataset }) => dataset.path).filter(Boolean));
document.querySelector('#paths').append(...[...paths].sort().map((value) => {
  const option = document.createElement('option');
  option.value = value;
  return option;
}));

function refresh() {
  const types = new Set(boxes.filter(({ checked }) => checked).map(({ value }) => value));
  const asked = path.value.normalize('NFKC').toLowerCase();
  let shown = 0;
  for (const event of events) {
    const { type, path: file = '' } = event.dataset;
    const fits = types.has(type) && (asked === '' || file.normalize('NFKC').toLowerCase().includes(asked));
    if (event.hidden === fits) event.hidden = !fits;
    if (fits) shown++;
  }
  status.textContent = shown === events.length ? shown + ' events' : shown + ' of ' + events.length + ' events shown';
}
for (const box of boxes) box.addEventListener('change', refresh);
path.addEventListener('input', refresh);
fold.addEventListener('click', () => {
  const open = fold.getAttribute('aria-pressed') !== 'true';
  fold.setAttribute('aria-pressed', String(open));
  for (const part of document.querySelectorAll('details')) part.open = open;
});

/* An address leads to an event, also to one that is hidden or folded. */
function jump() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target) return;
  if (target.hidden) {
    for (const box of boxes) box.checked = true;
    path.value = '';
    refresh();
  }
  for (const part of target.querySelectorAll('details')) part.open = true;
  target.scrollIntoView?.({ block: 'start' });
}
addEventListener('hashchange', jump);
addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (event.key === 'Escape' && path.value !== '') { path.value = ''; refresh(); }
  else if (event.key === '/' && document.activeElement !== path) { event.preventDefault(); path.focus(); }
});
refresh();
jump();
`;
