// Fails when the exports map of a package and its built files differ, in either direction, and when the reference
// of the API (typedoc.json) lacks an entry or has one that is no export.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const problems = [];
const documented = new Set(JSON.parse(readFileSync('typedoc.json', 'utf8')).entryPoints);
for (const folder of readdirSync('packages')) {
  const root = join('packages', folder);
  const { name, exports, bin = {} } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const mapped = new Set();
  for (const [entry, target] of Object.entries(exports)) {
    if (typeof target === 'string') continue;
    const source = join(root, target['vizprompt-source']);
    // What only the packages of the SDK import is no part of the reference.
    if (!entry.endsWith('/internal') && !documented.delete(source)) {
      problems.push(`${name}: '${entry}' is not in typedoc.json: add ${source}`);
    }
    for (const [condition, path] of Object.entries(target)) {
      mapped.add(path);
      if (!existsSync(join(root, path))) {
        problems.push(`${name}: '${entry}' (${condition}) names ${path}, which is not there`);
      }
    }
  }
  for (const [command, path] of Object.entries(bin)) {
    mapped.add(path);
    if (!existsSync(join(root, path))) {
      problems.push(`${name}: the command ${command} is ${path}, which is not there`);
    }
  }
  const config = join(root, 'tsup.config.ts');
  const entries = existsSync(config)
    ? readFileSync(config, 'utf8').match(/'[\w/]*index'|'src\/[\w/]+\.ts'/g)
    : [];
  for (const quoted of entries ?? []) {
    const entry = quoted.slice(1, -1).replace(/^src\/|\.ts$/g, '');
    if (!mapped.has(`./dist/${entry}.js`)) {
      problems.push(`${name}: dist/${entry}.js is built, and no export names it`);
    }
  }
}
for (const source of documented) problems.push(`typedoc.json: no package exports ${source}`);
for (const problem of problems) console.error(problem);
process.exit(problems.length > 0 ? 1 : 0);
