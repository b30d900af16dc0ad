import { execFileSync } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { round, type Figures } from '../figures.ts';
import { writeBare } from './write-bare.ts';

const WORKER = fileURLToPath(new URL('./import-worker.mjs', import.meta.url));

/** The export that is imported has about as many bytes. */
const BYTES = 100e6;

/** Imports a large ChatGPT export from its file, in a process of its own. */
export async function benchImport(log: (line: string) => void): Promise<Figures> {
  const folder = await mkdtemp(join(tmpdir(), 'vizprompt-bench-import-'));
  try {
    const file = join(folder, 'conversations.json');
    log('making a ChatGPT export of 100 MB ...');
    await pipeline(Readable.from(exported(BYTES)), createWriteStream(file));
    const { size } = await stat(file);
    log('importing it ...');
    const output = execFileSync(
      process.execPath,
      ['--expose-gc', WORKER, file, join(folder, 'project')],
      { encoding: 'utf8' },
    );
    const { ms, peak, idle, nodes } = JSON.parse(output) as Record<string, number>;
    log('writing its nodes without the library ...');
    const bare = writeBare(join(folder, 'project/nodes'), join(folder, 'bare'));
    return {
      import_mb: round(size / 1e6),
      import_mb_per_s: round(size / 1e3 / (ms ?? 0)),
      import_nodes: nodes ?? 0,
      import_raw_mb_per_s: round(size / 1e3 / bare),
      import_ratio_to_raw: round((ms ?? 0) / bare),
      peak_rss_mb: round(peak ?? 0),
      idle_rss_mb: round(idle ?? 0),
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A list of conversations in ChatGPT's form: 40 turns, an edit and a regeneration in every tenth. */
function* exported(bytes: number): Generator<string> {
  let written = 0;
  for (let number = 0; written < bytes; number++) {
    const text = `${number === 0 ? '[' : ',\n'}${JSON.stringify(conversation(number))}`;
    written += Buffer.byteLength(text);
    yield text;
  }
  yield ']\n';
}

const ANSWER =
  'JWTとセッションの違いを説明します。トークンは署名つきで、サーバーは状態を持ちません。\n';

function conversation(number: number): object {
  const mapping: Record<string, object> = {
    root: { id: 'root', message: null, parent: null, children: [`c${number}-q0`] },
  };
  const add = (
    id: string,
    parent: string,
    children: string[],
    role: string,
    text: string,
  ): void => {
    mapping[id] = {
      id,
      parent,
      children,
      message: {
        id,
        author: { role, name: null, metadata: {} },
        create_time: 1_700_000_000.123_456 + number,
        update_time: null,
        content: { content_type: 'text', parts: [text] },
        status: 'finished_successfully',
        end_turn: true,
        weight: 1,
        metadata: { model_slug: 'gpt-4o', request_id: `request-${id}`, citations: [] },
        recipient: 'all',
        channel: null,
      },
    };
  };
  let parent = 'root';
  for (let turn = 0; turn < 40; turn++) {
    const [question, answer] = [`c${number}-q${turn}`, `c${number}-a${turn}`];
    const isForked = turn % 10 === 9;
    const next = turn < 39 ? [`c${number}-q${turn + 1}`] : [];
    const answers = isForked ? [`${answer}b`, answer] : [answer];
    add(question, parent, answers, 'user', `質問 ${number} ${turn}: 認証はどうしますか?`);
    if (isForked) add(`${answer}b`, question, [], 'assistant', `別の答え\n${ANSWER.repeat(8)}`);
    add(answer, question, next, 'assistant', `答え ${turn}\n${ANSWER.repeat(12)}`);
    parent = answer;
  }
  return {
    title: `会話 ${number}`,
    create_time: 1_700_000_000 + number,
    update_time: 1_700_000_100 + number,
    mapping,
    current_node: parent,
    conversation_id: `conversation-${number}`,
    id: `conversation-${number}`,
  };
}
