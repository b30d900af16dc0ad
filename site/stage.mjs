// Writes the pages of the site, from the Markdown of the repository, into site/pages, where VitePress reads them.
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { execFileSync } from 'node:child_process';
import { filesBelow, inOrderOf, pageFor, routeOf } from './pages.mjs';
import { homeOf, SECTIONS } from './sections.mjs';

const OUT = 'site/pages';

const tracked = execFileSync(
  'git',
  ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '*.md'],
  { encoding: 'utf8' },
).split('\0');
const reference = existsSync('site/reference') ? filesBelow('site/reference') : [];
const files = [...tracked, ...reference].filter(
  (file) => routeOf(file) !== undefined && existsSync(file),
);

rmSync(OUT, { recursive: true, force: true });
const pages = new Map();
for (const file of files) {
  const page = pageFor(file, readFileSync(file, 'utf8'));
  pages.set(page.route, page);
  const isHome = page.route === 'index' || page.route === 'ja/index';
  const head = isHome ? homeOf(page.route) : '';
  // The title of the home page is that of its hero.
  write(`${page.route}.md`, head + (isHome ? page.text.replace(/^# .*\n/, '') : page.text));
  for (const [from, to] of page.pictures) {
    mkdirSync(join(OUT, dirname(to)), { recursive: true });
    copyFileSync(from, join(OUT, to));
  }
}
const changes = [...pages.keys()].filter((route) => route.startsWith('changelog/'));
const list = changes.map((route) => `- [${pages.get(route).title}](./${route.slice(10)}.md)`);
write(
  'changelog/index.md',
  `# Changelog\n\nThe changes of each version, by package.\n\n${list.join('\n')}\n`,
);
pages.set('changelog/index', { title: 'Changelog', text: '' });
write(
  '../.vitepress/sidebar.json',
  JSON.stringify({ en: sidebar('en'), ja: sidebar('ja') }, null, 2),
);
console.log(`site: ${pages.size} pages`);

function write(path, text) {
  const place = join(OUT, path);
  mkdirSync(dirname(place), { recursive: true });
  writeFileSync(place, text);
}

/** Makes the groups of a language, from the pages that there are. */
function sidebar(language) {
  return SECTIONS[language]
    .map(({ text, folder, pages: named, collapsed = true }) => {
      const index = pages.get(`${folder}/index`)?.text ?? '';
      const routes =
        named ??
        inOrderOf(
          index,
          [...pages.keys()].filter(
            (route) => route.startsWith(`${folder}/`) && route !== `${folder}/index`,
          ),
        );
      const items = routes
        .filter((route) => pages.has(route))
        .map((route) => ({
          text: pages.get(route).title,
          link: `/${route.replace(/(^|\/)index$/, '$1')}`,
        }));
      const link = pages.has(`${folder}/index`) ? `/${folder}/` : undefined;
      return { text, ...(link && { link }), collapsed, items };
    })
    .filter(({ items }) => items.length > 0);
}
