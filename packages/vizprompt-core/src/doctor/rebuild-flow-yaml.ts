import { withoutPrefixes } from '../format/line-prefixes.ts';
import { isLike, plainId } from './similar-ids.ts';

const TOP = ['id', 'name', 'created', 'updated', 'description', 'alias', 'head', 'source', 'owner'];
const LISTS = ['nodes', 'connections'];
const OF_ENTRIES = ['index', 'id', 'from', 'to', 'from_id', 'to_id', 'branch'];
const NUMBERS: ReadonlySet<string> = new Set(['index', 'from', 'to']);
const IDS: ReadonlySet<string> = new Set(['id', 'from_id', 'to_id', 'head']);

/** A line with a key: with any bullet, quotes, sign between key and value, and a comma at its end. */
const LINE = /^([-*•+－ー]?)\s*["'“”]?([A-Za-z_][A-Za-z_]*)["'“”]?\s*[:=：](?:\s*)(.*?)\s*,?$/;

/**
 * Builds a flow file from the lines of one that is no YAML, or not the one that was meant: keys that are nearly
 * right count, marks of git and lines that say nothing are left out.
 */
export function rebuildFlowYaml(text: string): string {
  const lines: string[] = [];
  const seen = new Set<string>();
  let list: string | undefined;
  let entry = new Set<string>();
  for (const line of linesOf(withoutPrefixes(text))) {
    const plain = line.trim();
    const [, bullet = '', word = '', value = ''] = LINE.exec(plain) ?? [];
    if (word === '') continue;
    const listed = value === '' || value === '[]' ? keyOf(word, LISTS) : undefined;
    if (listed !== undefined) {
      if (listed !== list) lines.push(seen.has(listed) ? '' : `${listed}:${value && ` ${value}`}`);
      seen.add(listed);
      list = listed;
      entry = new Set();
      continue;
    }
    const key = keyOf(word, list === undefined ? TOP : OF_ENTRIES);
    if (key === undefined) continue;
    if (list === undefined) {
      if (!seen.has(key)) lines.push(`${key}: ${written(key, value)}`);
      seen.add(key);
      continue;
    }
    const begins = bullet !== '' || entry.size === 0 || key === 'index' || key === 'from';
    if (entry.has(key) && bullet === '' && key !== 'index' && key !== 'from') continue;
    const isAgain =
      begins &&
      bullet === '' &&
      entry.has(key) &&
      lines.at(-1)?.endsWith(`${key}: ${written(key, value)}`);
    if (isAgain === true) continue;
    if (begins && (bullet !== '' || entry.has(key) || entry.size === 0)) {
      entry = new Set();
      lines.push(`  - ${key}: ${written(key, value)}`);
    } else lines.push(`    ${key}: ${written(key, value)}`);
    entry.add(key);
  }
  return `${lines.filter(Boolean).join('\n')}\n`;
}

/** Characters without a width that editors and pages leave before a key. */
const INVISIBLE = /^([\s-]*)[\u200b\u2060\ufeff][\u200b\u2060\ufeff]*/;
const UUID = '[\\da-f]{8}-[\\da-f]{4}-[\\da-f]{4}-[\\da-f]{4}-[\\da-f]{12}';
const NODE_LINE = new RegExp(
  `^[-*•]?\\s*["']?(?:(\\d\\d*)["']?\\s*[:=]\\s*)?["']?(${UUID})["']?,?$`,
  'i',
);
const ARROW_LINE = /^[-*•]?\s*["']?(\d\d*)\s*(?:->|=>|→|:|,)\s*(\d\d*)["']?$/;

/** The beginning of an entry that is an id alone, whether it can be read or not. */
const PLAIN_LINE = /^(?:[-*•]\s\s*["']?\w|["']?[\da-f][\da-f-]{7})/i;

/** Returns a line in which editors, pages or other programs wrote a dash, a key or an end of a connection in their way. */
function asYaml(line: string, isConnections: boolean): string {
  const plain = line
    .replace(/^(?:[–—−‐]|\d{1,7}[.)])\s\s*(?=["'{]?[a-z])/i, '- ')
    .replace(/^(?:#{1,6} ?|\*\*)(nodes|connections)(?::?\*\*)?:?$/i, '$1:');
  // A flow has a source of its own.
  if (!isConnections) return plain;
  return plain.replace(
    /^([-*•] )?(source|target)(?=\s*[:=]\s*["']?\d\d*["']?$)/i,
    (_, dash = '', end) =>
      `${String(dash)}${String(end).toLowerCase() === 'source' ? 'from' : 'to'}`,
  );
}

/** The content of a line of a file. */
interface Line {
  readonly lines: readonly string[];
  readonly indent: number;
  /** The part of the nodes: an id alone, keys of an entry; or a key of the flow below them, or another line. */
  readonly node?: 'plain' | 'keyed' | 'flow' | 'other';
}

/** Returns the lines of a flow, entries that are in one line as one for each key. */
function linesOf(text: string): string[] {
  let isNodes = false;
  let isConnections = false;
  const read = (line: string, index: number, whole: readonly string[]): Line => {
    const visible = line.replace(INVISIBLE, '$1');
    const indent = visible.length - visible.trimStart().length;
    if (isConnections && indent === 0 && isOfFlow(visible, whole[index + 1])) isConnections = false;
    const plain = asYaml(visible.trim(), isConnections);
    const list = /^["']?([a-z]\w*)["']?\s*[:=：]\s*\[?$/i.exec(plain)?.[1];
    if (list !== undefined) {
      const name = keyOf(list, LISTS);
      isNodes = name === 'nodes';
      isConnections = name === 'connections';
    }
    const keyed = isNodes ? { indent, node: 'keyed' as const } : { indent };
    const pairs = /^[-*•]?\s*\{([^{}]*)/.exec(plain)?.[1];
    if (pairs?.includes(':') === true) {
      const lines = pairs.split(',').map((pair, at) => (at === 0 ? `- ${pair.trim()}` : pair));
      return { lines, ...keyed };
    }
    const [, from, to] = ARROW_LINE.exec(plain) ?? [];
    if (!isNodes) {
      return {
        lines: from === undefined ? [plain] : [`- from: ${from}`, `to: ${to ?? ''}`],
        indent,
      };
    }
    const [, number, id] = NODE_LINE.exec(plain) ?? [];
    if (number !== undefined) return { lines: [`- index: ${number}`, `id: ${id}`], ...keyed };
    if (id !== undefined) return { lines: [`- id: ${id}`], indent, node: 'plain' };
    const [, bullet, word = ''] = LINE.exec(plain) ?? [];
    if (indent === 0 && bullet === '' && TOP.includes(word)) {
      return { lines: [plain], indent, node: 'flow' };
    }
    if (keyOf(word, OF_ENTRIES) !== undefined) return { lines: [plain], ...keyed };
    return { lines: [plain], indent, node: PLAIN_LINE.test(plain) ? 'plain' : 'other' };
  };
  const all = text
    .replaceAll('\0', '')
    .split(/\r\n?|\n/)
    .filter((line) => line.trim() !== '')
    .map(read);
  const blocks = blocksOf(all);
  return (isNumberedByPlace(blocks) ? blocks.map(withPlace) : blocks).flatMap(({ lines }) => lines);
}

/** Checks whether a line without indent is a key of the flow: a source with a target after it is that of a connection. */
function isOfFlow(line: string, next = ''): boolean {
  const [, bullet, word = ''] = LINE.exec(line.trim()) ?? [];
  if (bullet !== '' || !TOP.includes(word)) return false;
  const [, bulletAfter, after = ''] = LINE.exec(next.replace(INVISIBLE, '$1').trim()) ?? [];
  return word !== 'source' || bulletAfter !== '' || !/^(?:target|to)$/i.test(after);
}

/** An entry of the nodes, or another line. */
interface Block {
  readonly lines: string[];
  /** The first value of each key of an entry. */
  readonly keys: Map<string, string>;
  /** The place among the entries, from 1. */
  readonly place?: number;
  /** It is an id alone, whether it can be read or not. */
  readonly isPlain?: boolean;
}

/** Puts lines together that are one entry, and those of the flow that are below its nodes before the lists. */
function blocksOf(all: readonly Line[]): readonly Block[] {
  const [top, blocks]: [Block[], Block[]] = [[], []];
  let entry: Block | undefined;
  let place = 0;
  for (const [at, { lines, node, indent }] of all.entries()) {
    if (node === undefined || node === 'other') {
      if (node === undefined) entry = undefined;
      blocks.push({ lines: [...lines], keys: new Map() });
      continue;
    }
    const keys = keysOf(lines);
    const next = all[at + 1];
    const isFollowed = next?.node === 'keyed' && keysOf(next.lines).has('index');
    const isOfEntry = keys.has('id') && (entry?.keys.has('id') !== true || isFollowed);
    if (node === 'flow' && !isOfEntry) {
      top.push({ lines: [...lines], keys: new Map() });
      continue;
    }
    const before = all[at - 1];
    const isAfterPlain = node !== 'plain' && before?.node === 'plain';
    const begins =
      node === 'plain' ||
      entry === undefined ||
      isBulleted(lines) ||
      (keys.has('index') && entry.keys.has('index')) ||
      (isAfterPlain && (indent <= before.indent || hasOwnId(all, at)));
    if (!begins && entry) {
      // Keys of an id that cannot be read are not those of the entry before it.
      const isUnread = isAfterPlain && !entry.keys.has('id');
      entry.lines.push(...(isUnread ? lines.with(0, `- ${bare(lines[0])}`) : lines));
      for (const [key, value] of keys) if (!entry.keys.has(key)) entry.keys.set(key, value);
      continue;
    }
    place++;
    entry = {
      lines: isAfterPlain ? lines.with(0, `- ${bare(lines[0])}`) : [...lines],
      keys: new Map(keys),
      place,
      isPlain: node === 'plain',
    };
    blocks.push(entry);
  }
  const list = blocks.findIndex(({ lines: [line = ''] }) => isList(line));
  return blocks.toSpliced(Math.max(0, list), 0, ...top);
}

/** Checks whether keys below an id alone are an entry of their own: one with an id, or with a line that says none. */
function hasOwnId(all: readonly Line[], start: number): boolean {
  for (let at = start; ; at++) {
    const { lines = [], node } = all[at] ?? {};
    if (node === 'other') return true;
    if (node !== 'keyed' || isBulleted(lines)) return false;
    if (keysOf(lines).has('id')) return true;
  }
}

/** Checks whether ids alone have the numbers of their places: each entry with an index is at its place. */
function isNumberedByPlace(blocks: readonly Block[]): boolean {
  return (
    blocks.some(({ isPlain }) => isPlain) &&
    blocks.every((block) => {
      const index = block.keys.get('index');
      return index === undefined || Number(written('index', index)) === block.place;
    })
  );
}

function withPlace(block: Block): Block {
  const { lines, keys, place } = block;
  if (place === undefined || keys.has('index') || !keys.has('id')) return block;
  return { ...block, lines: [`- index: ${place}`, ...lines.with(0, bare(lines[0]))] };
}

function isList(line: string): boolean {
  const [, , word = '', value = ''] = LINE.exec(line) ?? [];
  return word !== '' && (value === '' || value === '[]') && keyOf(word, LISTS) !== undefined;
}

/** Reads the keys of an entry. */
function keysOf(lines: readonly string[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const line of lines) {
    const [, , word = '', value = ''] = LINE.exec(line.trim()) ?? [];
    const key = word === '' ? undefined : keyOf(word, OF_ENTRIES);
    if (key !== undefined && !found.has(key)) found.set(key, value);
  }
  return found;
}

function isBulleted([first = '']: readonly string[]): boolean {
  return /^[-*•+－ー]/.test(first);
}

function bare(line = ''): string {
  return line.replace(/^[-*•+－ー]?\s*/, '');
}

function squash(name: string): string {
  return name.toLowerCase().replaceAll('_', '');
}

function keyOf(word: string, keys: readonly string[]): string | undefined {
  return keys.find((key) => squash(key) === squash(word)) ?? keys.find((key) => isLike(key, word));
}

/** Writes a value so that YAML reads it as it is there. */
function written(key: string, value: string): string {
  const whole = value.replace(/^(["'])(.*)\1$/, '$2');
  if (NUMBERS.has(key)) return whole.normalize('NFKC').replaceAll(/[^\d-]/g, '');
  const id = IDS.has(key) ? plainId(whole.replaceAll(/["'“”]/g, '')) : whole;
  return /^[\w.@/-][^:#"']*$/.test(id) && !/^[@-]/.test(id)
    ? id
    : JSON.stringify(whole.replace(/^["']/, ''));
}

/**
 * Returns texts that a YAML file may have been meant to be, the likeliest first: with `from_id` for
 * `from` where an id follows, with spaces for tabs, with a space after the colon of a key, with ASCII
 * for the wide colons, dashes and spaces of Japanese keyboards.
 */
export function mendedYamlTexts(text: string): readonly string[] {
  const plain = text
    .replaceAll('\0', '')
    .replaceAll(/\r\n?/g, '\n')
    // The id of a node where its index belongs.
    .replaceAll(
      /^([ \t]*(?:-[ \t]*)?(?:from|to))(?=:[ \t]*["']?[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}["']?[ \t]*$)/gim,
      '$1_id',
    );
  const narrow = plain.replaceAll(
    /^([ \t\u00a0\u3000]*)(?:([-－ー])([ \t\u00a0\u3000]*))?([a-z_][a-z_]*)[ \t\u3000]*[:：][ \u3000]*/gm,
    (_, indent: string, dash: string | undefined, gap: string | undefined, key: string) =>
      `${wide(indent)}${dash === undefined ? '' : '-'}${wide(gap ?? '')}${key}: `,
  );
  const tabs = [2, 4, 8].map((size) =>
    narrow.replaceAll(/^[ \t]*(?:-[ \t]*)?/gm, (start) => start.replaceAll('\t', ' '.repeat(size))),
  );
  return [...new Set([...tabs, ...tabs.map(aligned)])]
    .map((each) => each.replaceAll(/(?<! )  *$/gm, ''))
    .filter((each) => each !== text);
}

function wide(text: string): string {
  return text.replaceAll('\u3000', '  ');
}

/** With the indentation that files of flows have, whatever it was: each key belongs to the entry before it. */
function aligned(text: string): string {
  let isEntry = false;
  return text
    .split('\n')
    .map((line) => {
      const plain = line.trim();
      if (plain.startsWith('- ')) {
        isEntry = true;
        return `  - ${plain.slice(2).trimStart()}`;
      }
      if (/^(?:nodes|connections):/.test(plain)) isEntry = false;
      return isEntry && /^(?:index|id|from|to|from_id|to_id|branch):/.test(plain)
        ? `    ${plain}`
        : line;
    })
    .join('\n');
}
