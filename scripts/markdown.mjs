// What the checks of Markdown share: the files, their code blocks and their headings.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/** A code block with its language, what stands in it, and the mark above it. */
const BLOCK = /(?:^<!-- ([^\n]*?) -->\n\n)?^( *)(`{3,}|~{3,})([^\n`]*)\n([^]*?)\n?^\2\3 *$/gm;

/** The Markdown of the repository, but for what is written by tools. */
export function markdownFiles() {
  // With -z, as git would write names in Japanese as numbers.
  const options = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '*.md'];
  const files = execFileSync('git', options, { encoding: 'utf8' }).split('\0');
  const isOurs = (file) =>
    existsSync(file) && !file.startsWith('.changeset/') && !file.endsWith('CHANGELOG.md');
  return files.filter(isOurs).map((file) => ({ file, text: readFileSync(file, 'utf8') }));
}

/** The code blocks of a text. `index` is where the block begins, its mark included. */
export function codeBlocks(text) {
  return [...text.matchAll(BLOCK)].map((match) => {
    const [whole, mark, indent, , language, code] = match;
    const line = text.slice(0, match.index).split('\n').length + (mark === undefined ? 0 : 2);
    return { whole, mark, indent, language: language.trim(), code, line, index: match.index };
  });
}

/** The text without what is code, so that nothing in it is taken for a link or a heading. */
export function withoutCode(text) {
  const blank = (code) => code.replaceAll(/[^\n]/g, ' ');
  return text.replaceAll(BLOCK, blank).replaceAll(/(`+)(?!`)[^]*?(?<!`)\1(?!`)/g, blank);
}

/** The anchors of a text: those that GitHub gives to headings, and those that stand in HTML. */
export function anchorsOf(text) {
  const anchors = new Set();
  const counts = new Map();
  for (const [, heading] of text.replaceAll(BLOCK, '').matchAll(/^#{1,6} +(.*?) *#*$/gm)) {
    const base = slugOf(heading);
    const count = counts.get(base) ?? 0;
    counts.set(base, count + 1);
    anchors.add(count === 0 ? base : `${base}-${count}`);
  }
  for (const [, id] of text.matchAll(/<[^>]+\s(?:id|name)="([^"]+)"/g)) anchors.add(id);
  return anchors;
}

/** Returns the anchor that GitHub gives to a heading. */
export function slugOf(heading) {
  const shown = heading.replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll(/<[^>]+>/g, '');
  return shown
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-');
}
