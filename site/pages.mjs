// The pages of the site: Markdown of the repository, with its route and its links rewritten for the site.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { posix } from 'node:path';
import { withoutCode } from '../scripts/markdown.mjs';

const { basename, dirname, join, normalize, relative } = posix;

export const REPOSITORY = 'https://github.com/vizprompt/vizprompt-sdk';

/** Folders of packages whose name differs from that of the package. */
const NAMES = { 'vizprompt-core': 'core' };
const nameOf = (folder) => NAMES[folder] ?? folder;

/** Each kind of file, and the route that it has. A route without an ending is that of a page. */
const ROUTES = [
  [/^README\.md$/, () => 'index'],
  [/^README\.ja\.md$/, () => 'ja/index'],
  [/^(CONTRIBUTING|SECURITY)\.md$/, (_, name) => `project/${name.toLowerCase()}`],
  [/^docs\/README\.md$/, () => 'documentation'],
  [/^docs\/ja\/README\.md$/, () => 'ja/documentation'],
  [/^docs\/ja\/(.+)\/([\w-]+)\.md$/, (_, folder, name) => `ja/${folder}/${pageName(name)}`],
  [
    /^docs\/(?:(.+)\/)?ja\/([\w-]+)\.md$/,
    (_, folder, name) => `ja/${join(folder ?? '', pageName(name))}`,
  ],
  [/^docs\/(.+)\/README\.md$/, (_, folder) => `${folder}/index`],
  [/^docs\/(.+)\.md$/, (_, path) => path],
  [/^packages\/([\w-]+)\/README\.md$/, (_, folder) => `packages/${nameOf(folder)}`],
  [/^packages\/([\w-]+)\/README\.ja\.md$/, (_, folder) => `ja/packages/${nameOf(folder)}`],
  [/^packages\/([\w-]+)\/CHANGELOG\.md$/, (_, folder) => `changelog/${nameOf(folder)}`],
  [/^examples\/README\.md$/, () => 'examples/index'],
  [/^examples\/([\w-]+)\/README\.md$/, (_, folder) => `examples/${folder}`],
  [/^site\/reference\/README\.md$/, () => 'reference/index'],
  [
    /^site\/reference\/@vizprompt\/(.+)\.md$/,
    (_, path) => `reference/${path.replace(/\/README$/, '/index')}`,
  ],
];

function pageName(name) {
  return name === 'README' ? 'index' : name;
}

/** Returns the route of a file of the repository; `undefined` if it is no page. */
export function routeOf(file) {
  for (const [pattern, route] of ROUTES) {
    const match = pattern.exec(file);
    if (match) return route(...match);
  }
  return undefined;
}

/** Returns the title of a page: its first heading. */
export function titleOf(text) {
  const [, title = ''] = /^# +(.+)$/m.exec(text) ?? [];
  return title
    .replaceAll('`', '')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll('\\', '')
    .trim();
}

/** Returns the text of a page for the site, and the pictures that it shows, by the paths that they get. */
export function pageFor(file, text, root = '.') {
  const route = routeOf(file);
  const pictures = new Map();
  const link = (target) => {
    const found = targetOf(file, target);
    if (found === undefined) return target;
    const { place, anchor } = found;
    const page = pageAt(place, root);
    const to = page === undefined ? undefined : routeOf(page);
    if (to !== undefined) {
      return `${relativeLink(route, to)}${anchor === '' || anchor === '#readme' ? '' : anchor}`;
    }
    if (/\.(?:png|svg|jpg)$/.test(place) && existsSync(join(root, place))) {
      pictures.set(place, `pictures/${basename(place)}`);
      return relative(dirname(route), `pictures/${basename(place)}`);
    }
    const kind =
      existsSync(join(root, place)) && statSync(join(root, place)).isDirectory() ? 'tree' : 'blob';
    return `${REPOSITORY}/${kind}/main/${place}${anchor}`;
  };
  return { route, title: titleOf(text), text: rewrite(text, link), pictures };
}

function targetOf(file, target) {
  if (/^[a-z][a-z0-9+.-]*:|^#|^\/\//i.test(target)) return undefined;
  const [path, anchor] = target.split('#');
  const place = normalize(join(dirname(file), decodeURI(path))).replace(/\/$/, '');
  return place.startsWith('..')
    ? undefined
    : { place, anchor: anchor === undefined ? '' : `#${anchor}` };
}

function pageAt(place, root) {
  const full = join(root, place);
  if (!existsSync(full)) return undefined;
  if (!statSync(full).isDirectory()) return place;
  const page = join(place, 'README.md');
  return existsSync(join(root, page)) ? page : undefined;
}

function relativeLink(from, to) {
  const path = join(relative(dirname(from), dirname(to)), basename(to));
  return `${path.startsWith('.') ? path : `./${path}`}.md`;
}

/** Matches the targets of links and pictures, in Markdown and in HTML. */
const TARGETS =
  /(\]\(\s*<?)([^\s)>]+)(?=>?(?:\s+"[^"]*")?\s*\))|(<(?:a|img|source)\b[^>]*?\s(?:href|src|srcset)=")([^"]+)(?=")|(^ {0,3}\[[^\]]+\]: +)(\S+)/gm;

/** Rewrites the links outside of code, and what Vue would take for its own. */
function rewrite(text, link) {
  const prose = withoutCode(text);
  let result = '';
  let end = 0;
  for (const match of prose.matchAll(TARGETS)) {
    const [whole, a, target, b, html, c, reference] = match;
    const head = a ?? b ?? c;
    result += text.slice(end, match.index + head.length) + link(target ?? html ?? reference);
    end = match.index + whole.length;
  }
  const linked = result + text.slice(end);
  return escapeVue(linked.replaceAll(/^<!-- .*? -->\n+/gm, ''));
}

function escapeVue(text) {
  const prose = withoutCode(text);
  return [...prose.matchAll(/\{\{/g)]
    .toReversed()
    .reduce((all, { index }) => `${all.slice(0, index)}&#123;&#123;${all.slice(index + 2)}`, text);
}

/** Lists the files below a folder, with `/`. */
export function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath.replaceAll('\\', '/'), entry.name))
    .toSorted();
}

/** Orders pages as the index page of their section links them; the others come last, by name. */
export function inOrderOf(index, routes) {
  const links = [...index.matchAll(/\]\(([^)#\s]+?)\.md/g)].map(([, target]) => basename(target));
  const rank = (route) => {
    const at = links.indexOf(basename(route));
    return at < 0 ? links.length : at;
  };
  return routes.toSorted((a, b) => rank(a) - rank(b) || a.localeCompare(b));
}
