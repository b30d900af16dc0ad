// Keeps the code in Markdown the same as the code that is compiled and run. A code block is marked by one of
//   <!-- snippet: path/to/file.ts#region -->   what stands between `// #region name` and `// #endregion name`
//   <!-- snippet: path/to/file.json -->        a whole file
//   <!-- in: path/to/file.yaml -->             lines that stand in this file one after another
//   <!-- file: story.yaml -->                  a test that runs the page takes it for this file
//   <!-- not run: REASON -->                   where none of these can be
// before it. `npm run snippets` fails where they differ and where a block of code has no mark,
// `npm run snippets -- --write` copies the code. In Japanese pages, its comments are in Japanese: docs/ja/snippets.json.
import { readFileSync, writeFileSync } from 'node:fs';
import { codeBlocks, markdownFiles } from './markdown.mjs';
import { missingNames } from './missing-names.mjs';

const isWriting = process.argv.includes('--write');
/**
 * What must be marked. Outlines and formats without a parser need not be; shell commands are checked by
 * packages/cli/test/frame/documents.test.ts.
 */
const LANGUAGES = /^(?:[cm]?[jt]sx?|javascript|typescript|ya?ml|jsonc?|xml)$/;
const COMMENT = /((?:^|\s)(?:\/\/|\/\*\*|#) )(.*?)( \*\/)?$/;
const JAPANESE_COMMENTS = 'docs/ja/snippets.json';
const japanese = new Map(Object.entries(JSON.parse(readFileSync(JAPANESE_COMMENTS, 'utf8'))));
const usedJapanese = new Set();
const problems = [];
let count = 0;

for (const { file, text } of markdownFiles()) {
  let synced = text;
  for (const block of codeBlocks(text)) {
    const where = `${file}:${block.line}`;
    const [, kind, target = ''] = /^(snippet|in|file|not run): *(.*)$/.exec(block.mark ?? '') ?? [];
    if (kind === undefined) {
      if (LANGUAGES.test(block.language)) problems.push(`${where}: ${unmarked(block.language)}`);
    } else if (kind === 'file') {
      if (target === '') problems.push(`${where}: which file is it?`);
    } else if (kind === 'not run') {
      if (target.length < 4) problems.push(`${where}: why is it not run?`);
    } else {
      count++;
      const code = sourceOf(target, where);
      const source = /\.ja\.md$|(?:^|\/)ja\//.test(file) ? inJapanese(code, where) : code;
      if (kind === 'in' && !`\n${source}\n`.includes(`\n${block.code}\n`)) {
        problems.push(`${where}: these lines do not stand in ${target}`);
      } else if (kind === 'snippet' && source !== block.code) {
        const fresh = `\`\`\`${block.language}\n${source}\n\`\`\``;
        synced = synced.replace(block.whole, () => `<!-- ${block.mark} -->\n\n${fresh}`);
        if (!isWriting)
          problems.push(`${where}: differs from ${target}: npm run snippets -- --write`);
      }
    }
  }
  problems.push(...lonelyMarks(file, text), ...unnamedPrograms(file, text));
  if (!isWriting || synced === text) continue;
  writeFileSync(file, synced);
  console.log(`wrote ${file}`);
}
for (const comment of japanese.keys()) {
  if (!usedJapanese.has(comment)) problems.push(`${JAPANESE_COMMENTS}: no page has '${comment}'`);
}
for (const problem of problems) console.error(problem);
if (count === 0) throw new Error('there are no snippets: the marks are not found');
process.exit(problems.length > 0 ? 1 : 0);

/** Returns code with its comments in Japanese. Comments without words, such as results, stay as they are. */
function inJapanese(code, where) {
  return code
    .split('\n')
    .map((line) =>
      line.replace(COMMENT, (whole, before, comment, after = '') => {
        const translated = japanese.get(comment);
        if (translated !== undefined) {
          usedJapanese.add(comment);
          return before + translated + after;
        }
        if (/[a-z]{2,} [a-z]{2,}/.test(comment) && !/[\u3041-\u3096]/.test(comment))
          problems.push(`${where}: ${JAPANESE_COMMENTS} has no '${comment}'`);
        return whole;
      }),
    )
    .join('\n');
}

/** A mark that no block of code follows shows nothing. */
function lonelyMarks(file, text) {
  const used = new Set(
    codeBlocks(text).map(({ line, mark }) => (mark === undefined ? 0 : line - 2)),
  );
  return text
    .split('\n')
    .flatMap((line, index) =>
      /^<!-- (?:snippet|in|file|not run): .* -->$/.test(line) && !used.has(index + 1)
        ? [`${file}:${index + 1}: no block of code follows this mark`]
        : [],
    );
}

/** A README of a package links a program of which it shows a part that needs the others. */
function unnamedPrograms(file, text) {
  if (!/^packages\/[\w-]+\/README(?:\.ja)?\.md$/.test(file)) return [];
  return [...text.matchAll(/^<!-- snippet: (\S+\.m?[jt]s)#(\S+) -->$/gm)].flatMap(
    ([, path, region]) => {
      if (text.includes(`](../../${path})`)) return [];
      const program = readFileSync(path, 'utf8');
      const { start, end } = placeOf(program.split('\n'), region);
      const names = missingNames(path, program, start, end);
      return names.length === 0
        ? []
        : [`${file}: '${region}' of ${path} needs ${names.join(', ')}: link the program`];
    },
  );
}

function unmarked(language) {
  return `a block of ${language} has no mark: cut it from a file that is run (see scripts/sync-snippets.mjs)`;
}

/** The code that a mark names, without its own indentation. */
function sourceOf(target, where) {
  const [path, region] = target.split('#');
  const lines = readFileSync(path, 'utf8').split('\n');
  if (region === undefined) return lines.join('\n').trimEnd();
  const { start, end } = placeOf(lines, region);
  if (start < 0 || end < start) throw new Error(`${where}: ${path} has no region '${region}'`);
  const code = lines.slice(start + 1, end);
  const indents = code
    .filter((line) => line.trim() !== '')
    .map((line) => /^ */.exec(line)[0].length);
  return code
    .map((line) => line.slice(Math.min(...indents)))
    .join('\n')
    .trim();
}

/** Returns the lines of the marks around a region; -1 for one that is missing. */
function placeOf(lines, region) {
  return {
    start: lines.findIndex((line) => isMark(line, 'region', region)),
    end: lines.findIndex((line) => isMark(line, 'endregion', region)),
  };
}

/** `// #region name`, or `# #region name` in YAML. */
function isMark(line, kind, name) {
  return new RegExp(`^(?://|#) #${kind} (.*)$`).exec(line.trim())?.[1] === name;
}
