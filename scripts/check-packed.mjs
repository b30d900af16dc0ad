// Packs each package and installs it in an empty project outside of the repository, without any optional
// package, as somebody who has just found it would. Then: what lies in it, importing and requiring each entry,
// its types, and what it says when an optional package is missing. `npm run build` comes first.
// npm run pack:check -- NAME ... for some packages only.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkContents } from './packed/contents.mjs';
import { makeProject, runIn } from './packed/empty-project.mjs';
import { packAll } from './packed/pack.mjs';
import { checkTypes } from './packed/types.mjs';

const folder = mkdtempSync(join(tmpdir(), 'vizprompt-packed-'));
const problems = [];
try {
  const packages = packAll(folder);
  const wanted = process.argv.slice(2);
  for (const packed of packages.values()) {
    const { name, manifest } = packed;
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const start = performance.now();
    const report = (problem) => problems.push(`${name}: ${problem}`);
    checkContents(packed).forEach(report);
    const project = makeProject(folder, packed, packages);
    const entries = Object.entries(manifest.exports).map(([path, target]) => ({
      name: `${name}${path.slice(1)}`,
      isCode: typeof target !== 'string',
    }));
    runIn(project, 'load-entries.mjs', entries).forEach(report);
    runIn(project, 'missing-peers.mjs', { name, missing: project.missing }).forEach(report);
    checkTypes(project, entries).forEach(report);
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    console.log(
      `${name} ${manifest.version}: ${packed.sizes}, ${entries.length} entries, ${seconds} s`,
    );
  }
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}
for (const problem of problems) console.error(problem);
process.exit(problems.length > 0 ? 1 : 0);
