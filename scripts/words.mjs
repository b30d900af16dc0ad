// Fails where a comment, a page, a message or the title of a test says something in a form that scripts/words/rules.mjs
// has a better one for.
// `npm run words -- --count` prints how often each is found, per folder.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { bannedIn } from './words/rules.mjs';
import { commentsIn, paragraphsIn } from './words/prose.mjs';
import { sentencesIn, titlesIn } from './words/strings.mjs';

const FOLDERS = ['packages', 'docs', 'examples', '*.md', '.changeset'];
/** Recorded, generated, in another language, or the examples of the rules. */
const OTHERS =
  /\/unit\/words\.test\.ts$|\/fixtures\/|\/generations\/|CHANGELOG\.md$|\.ja\.md$|\/ja\/|^docs\/api\/|cassettes\/|\/dist\//;

/** Strings that are words and no sentences: stop words, programs. */
const WORD_LISTS = /\/keywords\.ts$/;

const files = execFileSync(
  'git',
  ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', ...FOLDERS],
  {
    encoding: 'utf8',
  },
).split('\0');
const counts = new Map();
let read = 0;
for (const file of files) {
  if (OTHERS.test(file)) continue;
  const isPage = file.endsWith('.md');
  if (!isPage && !/\.(?:[cm]?[jt]s|py)$/.test(file)) continue;
  read++;
  const text = readFileSync(file, 'utf8');
  for (const { prose, line } of isPage ? paragraphsIn(text) : proseOf(file, text)) {
    for (const { rule, at, found } of bannedIn(prose)) {
      const place = `${file}:${line + prose.slice(0, at).split('\n').length - 1}`;
      if (process.argv.includes('--json'))
        console.log(JSON.stringify([file, +place.split(':')[1], rule.name]));
      else if (!process.argv.includes('--count'))
        console.error(`${place}: "${found.trim()}": say ${rule.say}`);
      const key = `${file.split('/').slice(0, 2).join('/')} ${rule.name}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
}
/** Returns the comments of a program, and its sentences; of a test the titles alone. */
function proseOf(file, text) {
  const comments = commentsIn(text);
  if (/\/test\//.test(file)) return [...comments, ...titlesIn(file, text)];
  if (!/\.[cm]?[jt]s$/.test(file) || WORD_LISTS.test(file)) return comments;
  return [...comments, ...sentencesIn(file, text)];
}

if (read === 0) throw new Error('there are no files: nothing was read');
const sum = [...counts.values()].reduce((all, one) => all + one, 0);
if (process.argv.includes('--count')) {
  for (const [key, count] of [...counts].toSorted((a, b) => b[1] - a[1])) console.log(count, key);
}
console.log(`words: ${sum} in ${read} files`);
process.exit(sum > 0 ? 1 : 0);
