import { readFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';

const WANTED = [
  'package.json',
  'README.md',
  'LICENSE',
  'CHANGELOG.md',
  'dist/index.js',
  'dist/index.d.ts',
];
const UNWANTED =
  /(^|\/)(test|tests|coverage|node_modules)\/|\.test\.|\.tsbuildinfo$|\.env|tsconfig/;

/** What a published manifest says, the same in all packages. */
const SHARED = ['type', 'license', 'engines', 'sideEffects', 'publishConfig', 'bugs'];
const OWN = ['description', 'keywords', 'homepage', 'repository', 'files', 'exports'];
const root = JSON.parse(readFileSync('packages/providers/package.json', 'utf8'));

/** What is wrong with what lies in a tarball. */
export function checkContents({ path, paths, manifest, unpacked }) {
  const problems = WANTED.filter((file) => !paths.includes(file)).map((file) => `has no ${file}`);
  problems.push(...paths.filter((file) => UNWANTED.test(file)).map((file) => `has ${file}`));
  for (const file of paths.filter((one) => !one.endsWith('.wasm'))) {
    const text = readFileSync(join(unpacked, file), 'utf8');
    if (text.includes(process.cwd())) problems.push(`${file} names a folder of this machine`);
    if (file.endsWith('.map')) problems.push(...checkMap(file, text));
  }
  for (const key of SHARED) {
    if (JSON.stringify(manifest[key]) !== JSON.stringify(root[key])) {
      problems.push(`its ${key} is not that of the other packages`);
    }
  }
  problems.push(...OWN.filter((key) => !manifest[key]).map((key) => `has no ${key}`));
  if (manifest.repository?.directory !== path) problems.push(`its repository is not ${path}`);
  return problems;
}

/** A source map leads to sources in the package. Those of bundled packages are not published once more. */
function checkMap(file, text) {
  const { sources } = JSON.parse(text);
  return sources
    .filter((source) => isAbsolute(source) || source.startsWith('file:'))
    .map((source) => `${file} names ${source}`);
}
