// Fails where a relative link of a Markdown file leads to nothing: a file that is not there, a folder without a
// README for its anchor, a heading that was renamed. Links to elsewhere need only be well-formed. A test that is
// named as what shows a promise (`PACKAGE/test/NAME.test.ts`) must be there, too.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { anchorsOf, markdownFiles, withoutCode } from './markdown.mjs';

const INLINE = /\[(?:[^[\]]|\[[^\]]*\])*\]\(\s*(<[^>]*>|[^\s)]+)(?:\s+"[^"]*")?\s*\)/g;
const REFERENCE = /^ {0,3}\[[^\]]+\]: +(\S+)/gm;
const HTML = /<(?:a|img|source)\b[^>]*\s(?:href|src|srcset)="([^"]+)"/g;

const TEST = /`([^`\s]+\.test\.ts)`/g;

const known = new Map();
const problems = [];
let count = 0;

for (const { file, text } of markdownFiles()) {
  const prose = withoutCode(text);
  for (const pattern of [INLINE, REFERENCE, HTML]) {
    for (const match of prose.matchAll(pattern)) {
      count++;
      const target = match[1].replace(/^<(.*)>$/, '$1');
      const problem = problemOf(file, target);
      if (problem === undefined) continue;
      const line = text.slice(0, match.index).split('\n').length;
      problems.push(`${file}:${line}: ${target} ${problem}`);
    }
  }
}
for (const { file, text } of markdownFiles()) {
  for (const match of text.matchAll(TEST)) {
    const places = [match[1], join('packages', match[1]), join(dirname(file), match[1])];
    if (places.some((place) => existsSync(place))) continue;
    const line = text.slice(0, match.index).split('\n').length;
    problems.push(`${file}:${line}: there is no test ${match[1]}`);
  }
}
for (const problem of problems) console.error(problem);
if (count === 0) throw new Error('there are no links: they are not found');
process.exit(problems.length > 0 ? 1 : 0);

function problemOf(file, target) {
  if (/^[a-z][a-z0-9+.-]*:/i.test(target)) {
    return URL.canParse(target) ? undefined : 'is no address';
  }
  const [path, anchor] = target.split('#');
  const place = path === '' ? file : normalize(join(dirname(file), decodeURI(path)));
  if (place.startsWith('..')) return 'leads out of the repository';
  if (!existsSync(place)) return 'is not there';
  if (anchor === undefined) return undefined;
  const isFolder = statSync(place).isDirectory();
  const page = isFolder ? join(place, 'README.md') : place;
  if (!page.endsWith('.md')) return undefined;
  if (!existsSync(page)) return `has no README.md for '#${anchor}'`;
  // GitHub's own name for the page below the list of a folder.
  if (isFolder && anchor === 'readme') return undefined;
  const anchors = known.get(page) ?? anchorsOf(readFileSync(page, 'utf8'));
  known.set(page, anchors);
  return anchors.has(decodeURIComponent(anchor)) ? undefined : `has no heading '#${anchor}'`;
}
