import { createHash } from 'node:crypto';
import type { JsonValue } from '../json/json-value.ts';
import type { FileStore } from '../storage/file-store.ts';
import { parseCassette } from './cassette.ts';
import { countEqual, diffLines } from './line-diff.ts';

const MAX_SHOWN = 40;
const LINE_WIDTH = 120;

/** How the nearest recorded call differs from the one that has no cassette. */
export async function explainMiss(
  store: FileStore,
  folder: string,
  call: JsonValue,
): Promise<string> {
  const asked = linesOf(call);
  let nearest: { key: string; lines: readonly string[]; equal: number } | undefined;
  for await (const { key } of store.list(`${folder}/`)) {
    const cassette = await read(store, key);
    if (!cassette) continue;
    const lines = linesOf(cassette.call);
    const equal = countEqual(lines, asked);
    const isNearer =
      !nearest || equal > nearest.equal || (equal === nearest.equal && key < nearest.key);
    if (isNearer) nearest = { key, lines, equal };
  }
  if (!nearest) return `'${folder}' holds no cassette at all; make one with record()`;
  const diff = diffLines(nearest.lines, asked);
  const rest = diff.length - MAX_SHOWN;
  const shown = diff.slice(0, MAX_SHOWN).join('\n');
  const more = rest > 0 ? `\n… and ${rest} more lines` : '';
  return `the nearest is '${nearest.key}' (- recorded, + asked)\n${shown}${more}`;
}

async function read(
  store: FileStore,
  key: string,
): Promise<ReturnType<typeof parseCassette> | undefined> {
  const file = await store.read(key);
  return file ? parseCassette(file.text) : undefined;
}

/** JSON in lines for people: texts in lines of their own, bytes by their hash. */
function linesOf(call: JsonValue): readonly string[] {
  return JSON.stringify(call, null, 2)
    .replaceAll(/"\$bytes": "([^"]*)"/g, (_, base64: string) => `"$bytes": "${digest(base64)}"`)
    .replaceAll('\\n', '\\n\n')
    .split('\n')
    .flatMap((line) => line.match(new RegExp(`.{1,${LINE_WIDTH}}`, 'gu')) ?? []);
}

function digest(base64: string): string {
  const hash = createHash('sha256').update(base64, 'base64').digest('hex');
  return `sha256 ${hash.slice(0, 16)}`;
}
