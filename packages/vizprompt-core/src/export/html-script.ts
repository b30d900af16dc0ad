/**
 * The script of the page. Rows are in the page already; lines are drawn as one path for each colour, and
 * the texts of a node are made when it is chosen, so that thousands of nodes are not a problem.
 *
 * Nodes are known by their place in the list, in which each is after its parents.
 */
export const PAGE_SCRIPT: string = String.raw`
'use strict';
const { nodes, words, head, row, lane, margin, colors } = JSON.parse(document.getElementById('data').textContent);
const [nav, list, svg, article, search, status, fold] = ['nav', 'ol', 'svg', 'article', 'input', '[role=status]', '#fold'].map((name) => document.querySelector(name));
const items = [...list.children];
const links = items.map((item) => item.querySelector('a'));
const folds = items.map((item) => item.querySelector('button'));
const children = nodes.map(() => []);
nodes.forEach((node, at) => { for (const parent of node.parents) children[parent].push(at); });
const folded = new Set();
const texts = [];
let shown = nodes.map((_, at) => at);
let chosen = -1;
let way = new Set();
const unseen = /([\u0000-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f\u202a-\u202e\u2066-\u2069])/;

function make(name, text, attributes = {}) {
  const element = document.createElement(name);
  if (text !== undefined) element.append(...text.split(unseen).map((part, at) => at % 2 === 0 ? part : named(part)));
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

/* Characters that turn the direction, and other invisible ones, are set apart; the style names them. */
function named(character) {
  const mark = document.createElement('bdi');
  mark.className = 'turn';
  mark.dataset.code = 'U+' + character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
  mark.textContent = character;
  return mark;
}

/* The shown text, and the places of */
function wordsOf(text) {
  return text.normalize('NFKC').toLowerCase();
}
function textOf(at) {
  const { title, tags, summary, prompt, response } = nodes[at];
  return (texts[at] ??= wordsOf([title, ...tags, summary, prompt, response].join('\n')));
}
function hiddenByFolds() {
  const hidden = [];
  nodes.forEach(({ parents }, at) => {
    hidden[at] = parents.length > 0 && parents.every((parent) => hidden[parent] || folded.has(parent));
  });
  return hidden;
}
function countBelow(at, hidden) {
  const found = new Set();
  const open = [...children[at]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (!hidden[next] || found.has(next)) continue;
    found.add(next);
    open.push(...children[next]);
  }
  return found.size;
}
function refresh() {
  const asked = wordsOf(search.value).split(/\s+/).filter(Boolean);
  const hidden = hiddenByFolds();
  const isShown = (at) => asked.length > 0 ? asked.every((word) => textOf(at).includes(word)) : !hidden[at];
  shown = [];
  nodes.forEach((node, at) => {
    const show = isShown(at);
    if (show) shown.push(at);
    if (items[at].hidden === show) items[at].hidden = !show;
    const button = folds[at];
    if (!button || !show) return;
    const below = folded.has(at) ? countBelow(at, hidden) : 0;
    button.hidden = asked.length > 0;
    button.textContent = folded.has(at) ? '▸ ' + below : '▾';
    button.setAttribute('aria-expanded', String(!folded.has(at)));
  });
  const count = asked.length > 0 ? words.found : shown.length < nodes.length ? words.shown : words.nodes;
  status.textContent = count.replace('{n}', shown.length).replace('{all}', nodes.length);
  fold.textContent = folded.size > 0 ? words.unfold : words.fold;
  draw();
}

/* Lines */
let rows = new Map();
const wayPath = makePath('way');
const phone = globalThis.matchMedia?.('(max-width:45rem)');
const xOf = (at) => (margin + nodes[at].lane * lane) * (phone?.matches ? 0.55 : 1);
const yOf = (at) => (rows.get(at) + 0.5) * row;
const dotOf = (at) => 'M' + xOf(at) + ',' + yOf(at) + 'h0';
const colorOf = (at) => nodes[at].lane % colors.length;

function makePath(name, d = '', color = '') {
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  path.setAttribute('class', name);
  path.setAttribute('d', d);
  if (color) path.setAttribute('stroke', color);
  return path;
}
function draw() {
  rows = new Map(shown.map((at, place) => [at, place]));
  const edges = colors.map(() => '');
  const dots = colors.map(() => '');
  for (const at of shown) {
    dots[colorOf(at)] += dotOf(at);
    nodes[at].parents.forEach((parent, order) => {
      edges[colorOf(order === 0 ? at : parent)] += edgeOf(parent, at);
    });
  }
  const colored = (name, texts) => texts.map((d, at) => makePath(name, d, colors[at]));
  const ring = makePath('ring', rows.has(head) ? dotOf(head) : '');
  svg.setAttribute('height', shown.length * row);
  svg.replaceChildren(...colored('edge', edges), wayPath, ring, ...colored('dot', dots));
  drawWay();
}
function drawWay() {
  let d = '';
  for (const at of way) for (const parent of nodes[at].parents) d += edgeOf(parent, at);
  wayPath.setAttribute('d', d);
}
/* The lane of a node is its own from its main parent on; other lines stay in their lane until the end. */
function edgeOf(parent, at) {
  if (!rows.has(parent) || !rows.has(at)) return '';
  const [x1, y1, x2, y2] = [xOf(parent), yOf(parent), xOf(at), yOf(at)];
  const [from, to] = nodes[at].parents[0] === parent ? [y1, y1 + row] : [y2 - row, y2];
  const bend = row / 3;
  /* A line in its own lane that is not the lane's would be hidden by it: it goes around. */
  if (x1 === x2 && nodes[at].parents[0] !== parent) {
    const aside = x1 - Math.min(margin, lane) * 0.75;
    return 'M' + x1 + ',' + y1 + 'C' + aside + ',' + (y1 + bend) + ' ' + aside + ',' + (y2 - bend) + ' ' + x2 + ',' + y2;
  }
  const curve = 'C' + x1 + ',' + (to - bend) + ' ' + x2 + ',' + (from + bend) + ' ' + x2 + ',' + to;
  return 'M' + x1 + ',' + y1 + 'L' + x1 + ',' + from + curve + 'L' + x2 + ',' + y2;
}

/* The node that was chosen, and the way to it */
function ancestorsOf(at) {
  const found = new Set([at]);
  for (const next of found) for (const parent of nodes[next].parents) found.add(parent);
  return found;
}
function choose(at, focus) {
  if (!nodes[at]) return;
  if (!shown.includes(at)) reveal(at);
  const before = way;
  way = ancestorsOf(at);
  for (const other of before) if (!way.has(other)) items[other].classList.remove('way');
  for (const other of way) if (!before.has(other)) items[other].classList.add('way');
  const last = links[chosen];
  if (last) { last.removeAttribute('aria-current'); last.tabIndex = -1; }
  chosen = at;
  links[at].setAttribute('aria-current', 'true');
  links[at].tabIndex = 0;
  drawWay();
  showNode(nodes[at], at);
  if (focus) links[at].focus({ preventScroll: true });
  links[at].scrollIntoView({ block: 'nearest' });
  try { history.replaceState(null, '', '#n' + nodes[at].index); } catch { /* Some viewers have no address. */ }
}
function reveal(at) {
  search.value = '';
  for (const other of ancestorsOf(at)) if (other !== at) folded.delete(other);
  refresh();
}
function showNode(node, at) {
  const facts = [node.speaker, node.timestamp, node.model, node.status].filter(Boolean).join(' · ');
  const ways = make('p', undefined, { class: 'facts' });
  node.parents.forEach((parent, place) => { ways.append(linkTo(parent, '← ', node.branches[place], words.from), ' '); });
  for (const child of children[at]) ways.append(linkTo(child, '→ ', nodes[child].branches[nodes[child].parents.indexOf(at)], words.into), ' ');
  const tags = make('p');
  for (const tag of node.tags) tags.append(make('span', tag, { class: 'tag', dir: 'auto' }));
  article.replaceChildren(make('h2', node.index + ' ' + node.title, { dir: 'auto' }), make('p', facts, { class: 'facts' }), ways, tags);
  if (node.summary) article.append(make('p', node.summary, { dir: 'auto' }));
  article.append(block(words.prompt, node.prompt, 'prompt', node.promptHtml), block(node.speaker || words.response, node.response, 'response', node.responseHtml));
  for (const part of node.parts) article.append(foldedText(part.name, part.text));
  article.scrollTop = 0;
}
function linkTo(at, sign, branch, name) {
  const { index, title } = nodes[at];
  return make('a', sign + index + (branch ? ' [' + branch + ']' : ''), { href: '#n' + index, 'aria-label': name.replace('{n}', index) + ' ' + title, dir: 'auto' });
}
function block(title, text, className, html) {
  const section = make('section', undefined, { class: className });
  section.append(make('h3', title, { dir: 'auto' }));
  if (html === undefined) section.append(make('pre', text, { dir: 'auto' }));
  else section.append(rendered(html), foldedText(words.source, text));
  return section;
}
function foldedText(name, text) {
  const details = document.createElement('details');
  details.append(make('summary', name, { dir: 'auto' }), make('pre', text, { dir: 'auto' }));
  return details;
}
/* HTML of this page's own making, in which all HTML that was said is text. */
function rendered(html) {
  const place = make('div', undefined, { class: 'said', dir: 'auto' });
  place.innerHTML = html;
  const walker = document.createTreeWalker(place, NodeFilter.SHOW_TEXT);
  const found = [];
  while (walker.nextNode()) if (unseen.test(walker.currentNode.data)) found.push(walker.currentNode);
  for (const text of found) text.replaceWith(...text.data.split(unseen).map((part, at) => at % 2 === 0 ? part : named(part)));
  return place;
}

/* Folding */
function toggle(at, isFolded = !folded.has(at)) {
  if (isFolded) folded.add(at); else folded.delete(at);
  refresh();
  if (chosen >= 0 && !shown.includes(chosen)) choose(at, false);
}
function foldAll() {
  if (folded.size > 0) folded.clear();
  else nodes.forEach((node, at) => { if (folds[at] && children[at].length > 0 && !way.has(at)) folded.add(at); });
  search.value = '';
  refresh();
}

/* Mouse, fingers, keys */
addEventListener('click', (event) => {
  const target = event.target instanceof Element ? event.target.closest('a[href^="#n"],li button') : null;
  if (!target) return;
  event.preventDefault();
  if (target.localName === 'button') toggle(folds.indexOf(target));
  else choose(placeOf(target.getAttribute('href')), false);
});
fold.addEventListener('click', foldAll);
search.addEventListener('input', refresh);
phone?.addEventListener('change', draw);
addEventListener('hashchange', () => choose(placeOf(location.hash), false));
const places = new Map(nodes.map(({ index }, at) => ['#n' + index, at]));
function placeOf(hash) {
  return places.get(hash) ?? -1;
}
function step(by) {
  const place = shown.indexOf(chosen);
  choose(shown[place < 0 ? 0 : Math.min(shown.length - 1, Math.max(0, place + by))] ?? -1, true);
}
const keys = {
  ArrowDown: () => step(1),
  ArrowUp: () => step(-1),
  j: () => step(1),
  k: () => step(-1),
  Home: () => step(-Infinity),
  End: () => step(Infinity),
  ArrowLeft() {
    if (children[chosen]?.length > 0 && !folded.has(chosen) && !search.value) toggle(chosen, true);
    else choose(nodes[chosen]?.parents[0] ?? -1, true);
  },
  ArrowRight() {
    if (folded.has(chosen)) toggle(chosen, false);
    else choose(children[chosen]?.[0] ?? -1, true);
  },
  Enter: () => article.focus(),
};
addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  const target = event.target instanceof Element ? event.target : document.body;
  let action;
  if (event.key === 'Escape') action = () => { if (search.value) { search.value = ''; refresh(); } choose(chosen, true); };
  else if (target === search) action = { ArrowDown: () => step(1), Enter: () => choose(shown.includes(chosen) ? chosen : shown[0] ?? -1, true) }[event.key];
  else if (event.key === '/') action = () => search.focus();
  else if (!article.contains(target) && target.localName !== 'button') action = keys[event.key];
  if (!action) return;
  event.preventDefault();
  action();
});

for (const link of links) link.tabIndex = -1;
refresh();
const asked = placeOf(location.hash);
choose(asked < 0 ? Math.max(head, 0) : asked, false);
`;
