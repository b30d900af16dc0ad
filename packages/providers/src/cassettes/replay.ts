import { createHash } from 'node:crypto';
import { checkOptions } from '../adapter-kit/check-options.ts';
import { type Kinds, optional, TEXT } from '../input/kinds.ts';
import { FILE_STORE } from '../input/part-kinds.ts';
import type { JsonValue } from '../json/json-value.ts';
import { LLMError } from '../models/llm-error.ts';
import type { Middleware } from '../models/chat-model.ts';
import type { FileStore } from '../storage/file-store.ts';
import { type Cassette, cassettePrefix, describeCall, parseCassette } from './cassette.ts';
import { replayEvents } from './event-json.ts';
import type { CassetteOptions } from './record.ts';

const KINDS: Kinds<CassetteOptions> = {
  store: FILE_STORE,
  folder: optional(TEXT),
};

/**
 * Answers from the cassettes that `record` wrote, and never calls the model. The same request asked
 * again gets its cassettes in the order of their recording, and then the last one again and again.
 * Recorded errors are thrown as they were.
 *
 * The count of each request belongs to the returned value.
 *
 * @throws LLMError (while streaming) with the code `not_found` if there is no cassette; the message
 * shows, line by line, how the nearest one differs. With `bad_response` if a cassette is damaged.
 *
 * @example
 * ```ts
 * const model = compose(openai({ model: 'gpt-5' }), replay({ store: storage.files }));
 * ```
 */
export function replay(options: CassetteOptions): Middleware {
  checkOptions('replay', options, KINDS);
  const { store, folder = 'cassettes' } = options;
  const counts = new Map<string, number>();
  const lengths = new Map<string, number>();
  return {
    name: 'replay',
    async *stream(request, _next, model) {
      const { provider, modelId } = model;
      const call = describeCall(request, model);
      const prefix = cassettePrefix(folder, call);
      const number = (counts.get(prefix) ?? 0) + 1;
      counts.set(prefix, number);
      for (let at = Math.min(number, lengths.get(prefix) ?? number); at > 0; at--) {
        const cassette = await load(store, `${prefix}${at}.json`);
        if (!cassette) continue;
        if (at < number) lengths.set(prefix, at);
        yield* replayEvents(cassette.events, request);
        if (cassette.error) throw cassette.error;
        return;
      }
      const why = await explainMiss(store, folder, call);
      const message = `there is no cassette for this request to ${provider} model '${modelId}': ${why}`;
      throw new LLMError('not_found', message, { provider, modelId });
    },
  };
}

async function load(store: FileStore, key: string): Promise<Cassette | undefined> {
  const file = await store.read(key);
  if (!file) return undefined;
  const cassette = parseCassette(file.text);
  if (cassette) return cassette;
  throw new LLMError('bad_response', `'${key}' is not a cassette: record it again`, {
    context: { key },
  });
}

const MAX_SHOWN = 40;
const LINE_WIDTH = 120;

/** How the nearest recorded call differs from the one that has no cassette. */
async function explainMiss(store: FileStore, folder: string, call: JsonValue): Promise<string> {
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

/** How many lines two texts have in common, wherever they stand. */
function countEqual(a: readonly string[], b: readonly string[]): number {
  const counts = new Map<string, number>();
  for (const line of a) counts.set(line, (counts.get(line) ?? 0) + 1);
  let equal = 0;
  for (const line of b) {
    const left = counts.get(line) ?? 0;
    if (left === 0) continue;
    counts.set(line, left - 1);
    equal++;
  }
  return equal;
}

/** Above this, the lines in the middle are shown as wholly different. */
const MAX_CELLS = 1_000_000;

/** Returns the lines that differ: `- ` for those of `before`, `+ ` for those of `after`. */
function diffLines(before: readonly string[], after: readonly string[]): readonly string[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let end = 0;
  const rest = Math.min(before.length, after.length) - start;
  while (end < rest && before.at(-1 - end) === after.at(-1 - end)) end++;
  return diffMiddle(
    before.slice(start, before.length - end),
    after.slice(start, after.length - end),
  );
}

/** By the longest common subsequence. */
function diffMiddle(a: readonly string[], b: readonly string[]): readonly string[] {
  const removed = (line: string): string => `- ${line}`;
  const added = (line: string): string => `+ ${line}`;
  if (a.length * b.length > MAX_CELLS) return [...a.map(removed), ...b.map(added)];
  const width = b.length + 1;
  const common = new Uint32Array((a.length + 1) * width);
  const at = (i: number, j: number): number => common[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      common[i * width + j] =
        a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const lines: string[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length && j < b.length) {
    if (a[i] === b[j]) {
      i++;
      j++;
    } else if (at(i + 1, j) >= at(i, j + 1)) lines.push(removed(a[i++] ?? ''));
    else lines.push(added(b[j++] ?? ''));
  }
  return [...lines, ...a.slice(i).map(removed), ...b.slice(j).map(added)];
}
