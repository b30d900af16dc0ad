import {
  cpSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { brotliCompressSync, crc32 } from 'node:zlib';
import { superJournal } from '../../../../providers/test/support/super-journal.ts';
import { diceOf, type Dice } from '../../../../providers/test/support/dice.ts';

const EVIL = '[core]\n\tfsmonitor = "touch PWNED; false"\n';

/** Files that a project must never write, as a stranger would name them. */
const TARGETS = [
  '.git/config',
  '.GIT/config',
  '.Git/hooks/post-checkout',
  'git~1/config',
  'GIT~1/hooks/pre-commit',
  '.git./config',
  '.git /config',
  '.git::$INDEX_ALLOCATION/config',
  '.g\u200Cit/config',
  '\uFEFF.git/config',
  'nodes/../.git/config',
  'nodes/.git/config.xml',
  '../outside/secret.txt',
  '../../outside/secret.txt',
  'package.json',
  'README.md',
  '.envrc',
  '.vscode/settings.json',
  '.github/workflows/a.yml',
  'node_modules/.bin/x',
  '.vizprompt/cache.db',
  '.vizprompt/../package.json',
  'vizpro~1/x',
  'history/x.sh',
  'metadata/x.sh',
  'attachments/x.sh',
  'nodes/x.sh',
  'flows/x.sh',
  'lost+found/x.sh',
  'CON.xml',
  'nodes/con.xml',
  '.bashrc',
  'a\u0000b',
  'C:\\x',
  '\\\\host\\share\\x',
] as const;

const LINK_TARGETS = [
  '.git',
  '.git/config',
  '.git/hooks',
  '..',
  '../..',
  '../../outside',
  '../../outside/secret.txt',
  '../../outside/missing',
  '../../home',
  '/etc/hostname',
  '/dev/zero',
  'package.json',
  '.vizprompt',
  '.',
  'nowhere',
] as const;

const LINKS = [
  'nodes',
  'flows',
  'metadata',
  'history',
  'attachments',
  'lost+found',
  '.vizprompt',
  '.gitattributes',
  'nodes/00',
  'flows/00',
  'nodes/00/00.xml',
  'nodes/00/07.xml',
  'flows/00/00.yaml',
  'metadata/node_map.tsv',
  'metadata/flow_map.tsv',
  'metadata/tags.yaml',
  'metadata/index.yaml',
  'history/stack.json',
  '.vizprompt/.gitignore',
  '.vizprompt/batch.journal',
  '.vizprompt/cache.db',
  '.vizprompt/cache.db-wal',
  '.vizprompt/cache.db-journal',
  '.vizprompt/database.db',
  '.vizprompt/database.db-shm',
  '.vizprompt/commit.lock',
  'conversations.json',
  'nodes/00/10.xml',
  'config.yaml',
  '.vizprompt/locks',
  '.vizprompt/set-aside',
  'lost+found/nodes',
] as const;

/** Databases of a project that SQLite rolls back where a journal is next to them. */
const JOURNALS = [
  '.vizprompt/cache.db-journal',
  '.vizprompt/database.db-journal',
  '.vizprompt/commit.lock-journal',
  '.vizprompt/locks/edit.lock-journal',
] as const;

const PROVIDERS = [
  'openai',
  'OpenAI',
  'gemini',
  'ollama',
  'groq',
  'groq:x',
  'mistral',
  'lmstudio',
  'house',
] as const;
const VARIABLES = [
  'AWS_SECRET_ACCESS_KEY',
  'GITHUB_TOKEN',
  'OPENAI_API_KEY',
  'GEMINI_API_KEY',
  'GROQ_API_KEY',
  'HOME',
] as const;

/** A stranger's work on a project; they are put together by chance. */
type Mutation = (folder: string, dice: Dice, sink: number) => void;

const MUTATIONS: readonly Mutation[] = [
  (folder, dice) => put(folder, '.vizprompt/batch.journal', journal(dice)),
  (folder, dice) => {
    const id = dice.of(['01a21376-d8d3-7000-b383-be04007035ad', 'x', '../x', 'a/b', '..', '']);
    const step = { id, label: 'l', time: 't', flows: ['x'], bytes: 9 };
    const stack = { undo: [step], redo: [step] };
    put(folder, 'history/stack.json', JSON.stringify({ version: 1, ...stack }));
    const named = (): object => ({
      id: 'x',
      keywords: [],
      file: dice.of(TARGETS),
      before: dice.of([EVIL, null]),
      after: dice.of([null, EVIL, 'harmless']),
    });
    const content = { flows: [named()], nodes: [named(), named()] };
    put(folder, `history/${id}.json.br`, brotliCompressSync(JSON.stringify(content)));
  },
  (folder, dice) => {
    const line = `${dice.of(TARGETS)}\t01a21376-d8d3-7000-b383-be04007035ad\t2026-01-01T00:00:00Z\n`;
    put(folder, 'metadata/node_map.tsv', `relpath\tuuid\ttimestamp\n${line}`);
    const flow = `x\t${dice.of(['..', '.git', '../..', '00'])}\t${dice.of(TARGETS)}\n`;
    put(folder, 'metadata/flow_map.tsv', `flow_id\tfolder\tfilename\n${flow}`);
  },
  (folder, dice, sink) => {
    const hosts = [
      `http://127.0.0.1:${sink}/v1`,
      `http://localhost:${sink}`,
      `http://user:pass@127.0.0.1:${sink}/v1`,
      'http://192.0.2.1:81/v1',
      'https://198.51.100.7/v1',
      `http://127.0.0.1:${sink}@192.0.2.1/`,
      'http://[2001:db8::1]/v1',
      'file:///etc/passwd',
    ];
    const provider = dice.of(PROVIDERS);
    const config = {
      version: '1.0',
      settings: {
        default_llm_provider: provider,
        default_model: 'm',
        ...(dice.below(2) === 0 ? { sharing: 'git' } : {}),
      },
      providers: {
        [provider]: {
          host: dice.of(hosts),
          ...(dice.below(3) > 0 ? { api_key_env: dice.of(VARIABLES) } : {}),
        },
      },
    };
    put(folder, 'config.yaml', JSON.stringify(config));
  },
  (folder, dice) => link(folder, dice.of(LINKS), dice.of(LINK_TARGETS)),
  (folder, dice) => {
    const name = dice.of(LINKS);
    const path = join(folder, name);
    if (!existsSync(dirname(path))) return;
    rmSync(path, { recursive: true, force: true });
    const other = dice.of(['.git/config', 'package.json']);
    linkSync(join(folder, other), path);
  },
  (folder, dice) => {
    const file = dice.of(['-rf.xml', 'a;touch PWNED.xml', '$(touch PWNED).xml', '\u202Ea.xml']);
    put(folder, `nodes/00/${file}`, dice.of(['<node', nodeXml(dice.of(TARGETS))]));
    put(folder, 'nodes/00/09.xml', nodeXml(dice.of(TARGETS)));
  },
  (folder, dice) => {
    const bytes = dice.of(['', 'x', 'SQLite format 3\0', '\0'.repeat(4096)]);
    put(folder, `.vizprompt/${dice.of(['cache.db', 'database.db', 'cache.db-wal'])}`, bytes);
  },
  (folder, dice) => {
    const victims = ['package.json', '.git/config', '../../outside/secret.txt'] as const;
    const named = join(folder, dice.of(victims));
    put(folder, dice.of(JOURNALS), superJournal(named, { pages: dice.of([1, 2, 8, 30]) }));
  },
  (folder, dice) => {
    const text = dice.of([
      '[]',
      '[{"mapping":{}}]',
      '{"__proto__":{"polluted":true}}',
      '[[[[',
      '\0',
    ]);
    put(folder, dice.of(['conversations.json', 'x/conversations-1.json', 'a.jsonl']), text);
  },
  (folder, dice) => {
    const damaged = dice.of(['flows/00/00.yaml', 'nodes/00/00.xml', 'metadata/index.yaml']);
    const path = join(folder, damaged);
    // A link may lead to a file without an end.
    if (!existsSync(path) || !lstatSync(path).isFile()) return;
    const text = readFileSync(path, 'utf8');
    put(folder, damaged, text.slice(dice.below(Math.max(1, text.length))));
  },
];

/**
 * Makes a project of a stranger from a sound one: one to four mutations, by the grammar above.
 *
 * @param sink - The port of a server of the stranger on this machine.
 */
export function makeHostileProject(
  sound: string,
  folder: string,
  { seed, sink }: { readonly seed: string; readonly sink: number },
): void {
  cpSync(sound, folder, { recursive: true });
  put(folder, '.git/config', 'harmless');
  put(folder, '.git/hooks/.keep', '');
  put(folder, 'package.json', '{}');
  const dice = diceOf(seed);
  for (let count = 1 + dice.below(4); count > 0; count--) {
    try {
      dice.of(MUTATIONS)(folder, dice, sink);
    } catch {
      // The result of one mutation may stop another from writing.
    }
  }
}

function put(folder: string, key: string, content: string | Uint8Array): void {
  const path = join(folder, key);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

/** Only below real folders: the stranger's archive cannot write through links either. */
function link(folder: string, name: string, target: string): void {
  const path = join(folder, name);
  rmSync(path, { recursive: true, force: true });
  mkdirSync(dirname(path), { recursive: true });
  const up = '../'.repeat(name.split('/').length - 1);
  symlinkSync(target.startsWith('/') ? target : up + target, path);
}

function journal(dice: Dice): Buffer {
  const batches = Array.from({ length: 1 + dice.below(2) }, () => batch(dice));
  const bytes = Buffer.concat([...batches, Buffer.alloc(48)]);
  return dice.below(6) === 0 ? bytes.subarray(0, dice.below(bytes.length)) : bytes;
}

function batch(dice: Dice): Buffer {
  const records = Array.from({ length: 1 + dice.below(3) }, () => {
    const key = dice.below(4) === 0 ? 'nodes/00/05.xml' : dice.of(TARGETS);
    const isDeleted = dice.below(5) === 0;
    const head = Buffer.from(JSON.stringify({ key, changeTime: 4_102_444_800, isDeleted }));
    const data = Buffer.from(isDeleted ? '' : EVIL);
    const lengths = Buffer.alloc(8);
    lengths.writeUInt32LE(head.length, 0);
    lengths.writeUInt32LE(data.length, 4);
    return Buffer.concat([lengths, head, data]);
  });
  const all = Buffer.concat(records);
  const isSealed = dice.below(2) === 0;
  const preamble = Buffer.alloc(isSealed ? 40 : 8, dice.below(256));
  preamble.writeUInt32LE((isSealed ? 0x8000_0000 : 0) + all.length, 0);
  preamble.writeUInt32LE(crc32(all), 4);
  return Buffer.concat([preamble, all]);
}

function nodeXml(path: string): string {
  const shown = path.replace(/[^\x20-\x7e]/g, '').replace(/[<>&"]/g, '');
  return (
    '<?xml version="1.0" encoding="UTF-8"?>\n' +
    '<node id="01a21376-d8d3-7000-b383-be04007035ad" timestamp="2026-01-01T00:00:00Z">\n' +
    `<prompt>evil<file path="${shown}" type="image/png"/></prompt><response/></node>\n`
  );
}
