import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { median, noise, round, type Figures } from '../figures.ts';

const WORKER = fileURLToPath(new URL('./import-worker.mjs', import.meta.url));

/** The logs that are imported have about as many bytes: the history of a week, of some months, and of years. */
const SMALL_BYTES = 30e6;
const BYTES = 100e6;
const LARGE_BYTES = 400e6;
/** How often all but the last are imported. */
const ROUNDS = 5;

/** How many files a session edits in turn. */
const FILES = 5;

/** What an import took. */
interface Import {
  readonly bytes: number;
  readonly added: number;
  readonly ms: number;
  readonly cpuMs: number;
  /** Of the same once more, which finds that it is all there. */
  readonly againMs: number;
  /** Bytes of memory at most. */
  readonly peak: number;
  /** Bytes of what the memory holds then, each text of a file once. */
  readonly contents: number;
  /** Bytes of its file. */
  readonly size: number;
}

/** Imports logs of Claude Code into new memories, each in a process of its own. */
export async function benchMemoryImport(log: (line: string) => void): Promise<Figures> {
  const place = await mkdtemp(join(tmpdir(), 'vizprompt-bench-memory-import-'));
  const imported = async (name: string, bytes: number, rounds: number): Promise<Import[]> => {
    const source = join(place, name);
    await writeTranscripts(source, bytes);
    return Array.from({ length: rounds }, (_, at) => {
      log(`importing ${bytes / 1e6} MB of transcripts, ${at + 1} of ${rounds} ...`);
      const path = join(place, `${name}-${at}.db`);
      const output = execFileSync(process.execPath, [WORKER, source, path], { encoding: 'utf8' });
      return JSON.parse(output) as Import;
    });
  };
  try {
    const small = await imported('week', SMALL_BYTES, ROUNDS);
    const all = await imported('months', BYTES, ROUNDS);
    const large = await imported('years', LARGE_BYTES, 1);
    return {
      import_mb_s: speedOf(all),
      import_best_mb_s: round(Math.max(...all.map(speed))),
      import_noise: noise(all.map(speed)),
      // Of the processor's time: what is left when others use the machine too.
      import_mb_per_cpu_s: round(median(all.map(({ bytes, cpuMs }) => bytes / 1e3 / cpuMs))),
      import_again_mb_s: round(median(all.map(({ bytes, againMs }) => bytes / 1e3 / againMs))),
      import_events: all[0]?.added ?? 0,
      import_size_ratio: round(median(all.map(({ contents, size }) => size / contents))),
      import_peak_rss_mb: peakOf(all),
      import_small_mb_s: speedOf(small),
      import_small_peak_rss_mb: peakOf(small),
      import_large_mb_s: speedOf(large),
      import_large_peak_rss_mb: peakOf(large),
    };
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

function speed({ bytes, ms }: Import): number {
  return bytes / 1e3 / ms;
}

function speedOf(imports: readonly Import[]): number {
  return round(median(imports.map(speed)));
}

function peakOf(imports: readonly Import[]): number {
  return round(Math.max(...imports.map(({ peak }) => peak)) / 1e6);
}

/** Writes logs of sessions as Claude Code does: a quarter answers, the rest what tools gave. */
async function writeTranscripts(folder: string, bytes: number): Promise<void> {
  await mkdir(folder, { recursive: true });
  let written = 0;
  for (let number = 0; written < bytes; number++) {
    const text = sessionLog(number);
    await writeFile(join(folder, `${uuid(number, 0)}.jsonl`), text);
    written += Buffer.byteLength(text);
  }
}

const WORDS =
  'const session = await store.start(workspace); 認証 トークン middleware return value; ' +
  'エラーを直す test passed failed 値引き 計算 index.ts export function verify(token: string)';

/** Words that differ from session to session, as real ones do. */
function prose(seed: number, words: number): string {
  const vocabulary = WORDS.split(' ');
  let state = seed * 2_654_435_761;
  return Array.from({ length: words }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const word = vocabulary[state % vocabulary.length] ?? '';
    return state % 7 === 0 ? `${word}${state % 5000}\n` : word;
  }).join(' ');
}

function sessionLog(number: number): string {
  const lines: string[] = [];
  let parent: string | null = null;
  const add = (type: 'assistant' | 'user', content: unknown, toolUseResult?: unknown): void => {
    const id = uuid(number, lines.length + 1);
    const line = {
      parentUuid: parent,
      isSidechain: false,
      cwd: '/home/ann/shop',
      sessionId: uuid(number, 0),
      version: '2.0.69',
      gitBranch: 'main',
      type,
      message: { role: type, id: `msg_${number}_${lines.length}`, content },
      uuid: id,
      timestamp: new Date(1_770_000_000_000 + lines.length * 1000).toISOString(),
      ...(toolUseResult === undefined ? {} : { toolUseResult }),
    };
    lines.push(JSON.stringify(line));
    parent = id;
  };
  // Each keeps its own text, which an edit finds as the last one has left it.
  const files = Array.from({ length: FILES }, (_, at) => prose(number * FILES + at, 900));
  for (let turn = 0; turn < 40; turn++) {
    const seed = number * 1000 + turn;
    const id = (kind: string): string => `toolu_${kind}${String(seed).padStart(24, '0')}`;
    add('user', prose(seed, 20));
    add('assistant', [{ type: 'thinking', thinking: prose(seed + 1, 80) }]);
    add('assistant', [{ type: 'text', text: prose(seed + 2, 60) }]);
    add('assistant', [
      { type: 'tool_use', id: id('a'), name: 'Bash', input: { command: 'npm test' } },
    ]);
    const stdout = prose(seed + 3, 500);
    const told = [{ type: 'tool_result', tool_use_id: id('a'), content: stdout }];
    add('user', told, { stdout, stderr: '', interrupted: false });
    const at = turn % FILES;
    const path = `/home/ann/shop/file${at}.ts`;
    const file = files[at] ?? '';
    const [old = ''] = file.split('\n');
    const change = { file_path: path, old_string: old, new_string: prose(seed + 4, 8) };
    add('assistant', [{ type: 'tool_use', id: id('b'), name: 'Edit', input: change }]);
    add('user', [{ type: 'tool_result', tool_use_id: id('b'), content: 'updated' }], {
      filePath: path,
      oldString: old,
      newString: change.new_string,
      originalFile: file,
      replaceAll: false,
    });
    files[at] = file.replace(old, () => change.new_string);
  }
  return `${lines.join('\n')}\n`;
}

function uuid(session: number, line: number): string {
  const part = (value: number, length: number): string => value.toString(16).padStart(length, '0');
  return `${part(session, 8)}-0000-4000-8000-${part(line, 12)}`;
}
