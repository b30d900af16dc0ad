/** The looks of the page; light or dark as the reader's system is. */
export const PAGE_STYLE: string = `
:root{color-scheme:light dark;--line:#8884;--soft:#8882}
*{box-sizing:border-box}
body{margin:0;font:15px/1.6 system-ui,"Hiragino Sans","Noto Sans JP",sans-serif;height:100vh;display:flex;flex-direction:column}
header{padding:.6rem 1rem;border-bottom:1px solid var(--line);display:flex;gap:1rem;align-items:baseline;flex-wrap:wrap}
h1{font-size:1.1rem;margin:0}header p{margin:0;opacity:.7}
main{flex:1;display:flex;min-height:0}
nav{flex:1 1 40%;overflow:auto;border-right:1px solid var(--line)}
article{flex:1 1 60%;overflow:auto;padding:0 1.2rem 2rem}
svg{display:block;min-width:22rem}
path{fill:none;stroke-width:2}
a{cursor:pointer}a rect{fill:transparent}a:hover rect,a:focus rect{fill:var(--soft)}a.chosen rect{fill:var(--line)}
a:focus{outline:none}circle{stroke:Canvas;stroke-width:2}a.head circle{stroke:CanvasText}
text{fill:CanvasText;font-size:13px}a.chosen text{font-weight:600}
pre{white-space:pre-wrap;overflow-wrap:anywhere;font:inherit;margin:0}
section{margin:1rem 0;padding:.6rem .9rem;border-left:3px solid var(--line)}
section.prompt{background:var(--soft)}
.facts{opacity:.75;font-size:.85rem}.tag{background:var(--soft);border-radius:.6rem;padding:0 .5rem;margin-right:.3rem}
@media(max-width:45rem){main{flex-direction:column}nav{border-right:0;border-bottom:1px solid var(--line)}}
`;

/** Shows the node that was chosen, by a click, by the keys up and down, or by the address. */
export const PAGE_SCRIPT: string = `
'use strict';
const { nodes, head } = JSON.parse(document.getElementById('data').textContent);
const article = document.querySelector('article');
const links = new Map([...document.querySelectorAll('a[data-index]')].map((a) => [Number(a.dataset.index), a]));
const order = nodes.map((node) => node.index);
let current;
function make(name, text, className) {
  const element = document.createElement(name);
  if (text !== undefined) element.textContent = text;
  if (className) element.className = className;
  return element;
}
function block(title, text, className) {
  const section = make('section', undefined, className);
  section.append(make('strong', title), make('pre', text));
  return section;
}
function show(index) {
  const node = nodes.find((candidate) => candidate.index === index);
  if (!node) return;
  links.get(current)?.classList.remove('chosen');
  current = index;
  const link = links.get(index);
  link.classList.add('chosen');
  link.scrollIntoView({ block: 'nearest' });
  const facts = [node.timestamp, node.model, node.status, node.parents.length ? '← ' + node.parents.join(', ') : '', node.children.length ? '→ ' + node.children.join(', ') : ''];
  const tags = make('p');
  for (const tag of node.tags) tags.append(make('span', tag, 'tag'));
  article.replaceChildren(make('h2', node.index + ' ' + node.title), make('p', facts.filter(Boolean).join(' · '), 'facts'), tags);
  if (node.summary) article.append(make('p', node.summary));
  article.append(block('Prompt', node.prompt, 'prompt'), block('Response', node.response, 'response'));
  article.scrollTop = 0;
  history.replaceState(null, '', '#n' + index);
}
for (const [index, link] of links) {
  link.addEventListener('click', (event) => { event.preventDefault(); show(index); });
}
addEventListener('keydown', (event) => {
  const step = { ArrowDown: 1, ArrowUp: -1, j: 1, k: -1 }[event.key];
  if (!step) return;
  event.preventDefault();
  show(order[Math.min(order.length - 1, Math.max(0, order.indexOf(current) + step))]);
});
const asked = Number(location.hash.slice(2));
const start = nodes.find((node) => node.id === head) ?? nodes[0];
if (start) show(links.has(asked) ? asked : start.index);
`;
