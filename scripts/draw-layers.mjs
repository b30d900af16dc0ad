// Keeps the pictures of layers in Markdown the same as the imports, types included:
//   <!-- layers: packages/providers -->
// is above each. `npm run layers` fails where they differ, `npm run layers -- --write` draws them.
// An arrow that follows from others is left out: if a -> b -> c, then a may import c as well.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { LAYERED } from '../.dependency-cruiser.mjs';

const FILE = 'docs/architecture.md';
/** Entries gather everything, and tools for tests may look anywhere: both would hide the layers. */
const LEFT_OUT = /^(?:index\.ts|internal\.ts|testing)$/;

const isWriting = process.argv.includes('--write');
const text = readFileSync(FILE, 'utf8');
const undrawn = new Set(LAYERED);
const drawn = text.replaceAll(
  /(<!-- layers: packages\/([\w-]+) -->\n\n)```mermaid\n[^]*?\n```/g,
  (_whole, mark, name) => {
    undrawn.delete(name);
    return `${mark}\`\`\`mermaid\n${picture(name)}\n\`\`\``;
  },
);
if (undrawn.size > 0) {
  console.error(
    `${FILE} has no picture of ${[...undrawn].join(', ')}: add <!-- layers: packages/NAME -->`,
  );
  process.exit(1);
}
if (drawn !== text) {
  if (!isWriting) {
    console.error(
      `${FILE}: a picture of layers differs from the imports: npm run layers -- --write`,
    );
    process.exit(1);
  }
  writeFileSync(FILE, drawn);
  console.log(`wrote ${FILE}`);
}

function picture(name) {
  const imports = foldersOf(name);
  const reach = new Map();
  const below = (folder) => {
    if (!reach.has(folder)) {
      const direct = imports.get(folder) ?? [];
      reach.set(folder, new Set(direct.flatMap((next) => [next, ...below(next)])));
    }
    return reach.get(folder);
  };
  const ids = [...imports.keys()];
  const arrows = ids.flatMap((folder) => {
    const direct = imports.get(folder);
    const needed = direct.filter((next) => !direct.some((other) => below(other).has(next)));
    return needed.map((next) => `  ${folder} --> ${next}`);
  });
  const joined = new Set(arrows.flatMap((arrow) => arrow.trim().split(' --> ')));
  const alone = ids.filter((folder) => !joined.has(folder)).map((folder) => `  ${folder}`);
  return ['flowchart TB', ...arrows, ...alone].join('\n');
}

/** What each folder (or file beside the folders) of a package imports of the others. */
function foldersOf(name) {
  const source = `packages/${name}/src`;
  const report = execFileSync(
    process.execPath,
    [
      'node_modules/dependency-cruiser/bin/dependency-cruise.mjs',
      source,
      '--config',
      '.dependency-cruiser.mjs',
      '--include-only',
      `^${source}`,
      '--collapse',
      `^${source}/[^/]+`,
      '--output-type',
      'json',
    ],
    { encoding: 'utf8', maxBuffer: 2 ** 28 },
  );
  const inSource = (path) => path.slice(source.length + 1);
  const isDrawn = (path) => path.startsWith(`${source}/`) && !LEFT_OUT.test(inSource(path));
  const folders = new Map();
  for (const { source: from, dependencies } of JSON.parse(report).modules) {
    if (!isDrawn(from)) continue;
    const others = dependencies
      .map(({ resolved }) => resolved)
      .filter((to) => to !== from && isDrawn(to));
    folders.set(inSource(from), [...new Set(others.map(inSource))].toSorted(byName));
  }
  return new Map([...folders].toSorted(([a], [b]) => byName(a, b)));
}

function byName(a, b) {
  return a < b ? -1 : 1;
}
