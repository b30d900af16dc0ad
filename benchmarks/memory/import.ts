import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { round, type Figures } from '../figures.ts';

const WORKER = fileURLToPath(new URL('./import-worker.mjs', import.meta.url));

/** The logs that are imported have about as many bytes, unless a folder is given. */
const BYTES = 30e6;

/**
 * Imports logs of Claude Code into a new memory, in a process of its own, and then once more.
 *
 * @param folder - Transcripts of one's own. Default: made ones.
 */
export async function benchMemoryImport(
  log: (line: string) => void,
  folder?: string,
): Promise<Figures> {
  const place = await mkdtemp(join(tmpdir(), 'vizprompt-bench-memory-import-'));
  try {
    const source = folder ?? join(place, 'transcripts');
    if (folder === undefined) await writeTranscripts(source, BYTES);
    log('importing transcripts, twice ...');
    const output = execFileSync(process.execPath, [WORKER, source, join(place, 'memory.db')], {
      encoding: 'utf8',
    });
    const found = JSON.parse(output) as Record<string, number>;
    const { bytes = 0, ms = 0, againMs = 0, cpuMs = 0 } = found;
    return {
      import_mb: round(bytes / 1e6),
      import_mb_s: round(bytes / 1e3 / ms),
      // Of the processor's time: what is left when others use the machine too.
      import_mb_per_cpu_s: round(bytes / 1e3 / cpuMs),
      import_again_mb_s: round(bytes / 1e3 / againMs),
      import_events: found['added'] ?? 0,
      import_peak_rss_mb: round((found['peak'] ?? 0) / 1e6),
    };
  } finally {
    await rm(place, { recursive: true, force: true });
  }
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
  let file = prose(number, 900);
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
    const path = `/home/ann/shop/file${turn % 5}.ts`;
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
    file = file.replace(old, () => change.new_string);
  }
  return `${lines.join('\n')}\n`;
}

function uuid(session: number, line: number): string {
  const part = (value: number, length: number): string => value.toString(16).padStart(length, '0');
  return `${part(session, 8)}-0000-4000-8000-${part(line, 12)}`;
}
