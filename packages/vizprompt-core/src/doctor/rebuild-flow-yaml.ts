import { isLike, plainId } from './slips.ts';

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
  for (const line of linesOf(text)) {
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

/** The content of a line of a file. */
interface Line {
  readonly lines: readonly string[];
  /** An entry of the nodes: one that is its id alone has its number from its place, unless others say theirs. */
  readonly node?: 'plain' | 'keyed';
}

/** Returns the lines of a flow, entries that are in one line as one for each key. */
function linesOf(text: string): string[] {
  let isNodes = false;
  const read = (line: string): Line => {
    const plain = line.replace(INVISIBLE, '$1').trim();
    const list = /^["']?([a-z]\w*)["']?\s*[:=：]\s*\[?$/i.exec(plain)?.[1];
    if (list !== undefined) isNodes = keyOf(list, LISTS) === 'nodes';
    const keyed = isNodes ? { node: 'keyed' as const } : {};
    const pairs = /^[-*•]?\s*\{([^{}]*)/.exec(plain)?.[1];
    if (pairs?.includes(':') === true) {
      const lines = pairs.split(',').map((pair, at) => (at === 0 ? `- ${pair.trim()}` : pair));
      return { lines, ...keyed };
    }
    const [, from, to] = ARROW_LINE.exec(plain) ?? [];
    if (!isNodes) {
      return { lines: from === undefined ? [plain] : [`- from: ${from}`, `to: ${to ?? ''}`] };
    }
    const [, number, id] = NODE_LINE.exec(plain) ?? [];
    if (number !== undefined) return { lines: [`- index: ${number}`, `id: ${id}`], ...keyed };
    if (id !== undefined) return { lines: [`- id: ${id}`], node: 'plain' };
    const key = keyOf(LINE.exec(plain)?.[2] ?? '', OF_ENTRIES);
    if (key !== undefined) return { lines: [plain], ...keyed };
    return { lines: [plain], ...(PLAIN_LINE.test(plain) ? { node: 'plain' } : {}) };
  };
  const all = text
    .replaceAll('\0', '')
    .split(/\r\n?|\n/)
    .filter((line) => line.trim() !== '')
    .map(read);
  if (all.some(({ node }) => node === 'keyed')) {
    // An id alone is followed by an entry of its own.
    return all.flatMap(({ lines, node }, at) =>
      node === 'keyed' && all[at - 1]?.node === 'plain'
        ? lines.with(0, (lines[0] ?? '').replace(/^[-*•]?\s*/, '- '))
        : lines,
    );
  }
  let place = 0;
  return all.flatMap(({ lines, node }) => {
    if (node === 'plain') place++;
    const [id = ''] = lines;
    return node === 'plain' && id.startsWith('- id: ')
      ? [`- index: ${place}`, id.slice('- '.length)]
      : lines;
  });
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
