// Keeps the code in Markdown the same as the code that is compiled and run. A snippet is marked by
//   <!-- snippet: path/to/file.ts#region -->
// before its code block, and in the file by `// #region name` and `// #endregion name`.
// `npm run snippets` fails where they differ, `npm run snippets -- --write` copies the code.
import { readFileSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';

const isWriting = process.argv.includes('--write');
const MARKED = /<!-- snippet: (\S+?)#(\S+) -->\n\n```(\w+)\n[^]*?```/g;
const files = execFileSync(
  'git',
  ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'],
  {
    encoding: 'utf8',
  },
);
let count = 0;
let isStale = false;

for (const file of files.trim().split('\n')) {
  const text = readFileSync(file, 'utf8');
  const synced = text.replaceAll(MARKED, (_, source, region, language) => {
    count++;
    const code = regionOf(source, region);
    return `<!-- snippet: ${source}#${region} -->\n\n\`\`\`${language}\n${code}\n\`\`\``;
  });
  if (synced === text) continue;
  if (isWriting) {
    writeFileSync(file, synced);
    console.log(`wrote ${file}`);
  } else {
    isStale = true;
    console.error(`${file}: a snippet differs from its source: npm run snippets -- --write`);
  }
}
if (count === 0) throw new Error('there are no snippets: the marks are not found');
process.exit(isStale ? 1 : 0);

function regionOf(source, region) {
  const lines = readFileSync(source, 'utf8').split('\n');
  const start = lines.findIndex((line) => line.trim() === `// #region ${region}`);
  const end = lines.findIndex((line) => line.trim() === `// #endregion ${region}`);
  if (start < 0 || end < start) throw new Error(`${source} has no region '${region}'`);
  const code = lines.slice(start + 1, end);
  const indents = code
    .filter((line) => line.trim() !== '')
    .map((line) => /^ */.exec(line)[0].length);
  return code
    .map((line) => line.slice(Math.min(...indents)))
    .join('\n')
    .trim();
}
