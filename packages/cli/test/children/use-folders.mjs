// Does in each of the folders what a user does with all tools, in one process. Needs the loader tsx, and the
// condition vizprompt-source.
import { closeSync, mkdirSync, openSync, readdirSync, writeFileSync } from 'node:fs';
import dns from 'node:dns';
import { dirname, join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { Interrupts } from '../../src/frame/interrupts.ts';
import { runTool } from '../../src/frame/run-tool.ts';
import { dialogoi } from '../../src/dialogoi/tool.ts';
import { ptta } from '../../src/ptta/tool.ts';
import { talktable } from '../../src/talktable/tool.ts';
import { vizprompt } from '../../src/vizprompt/tool.ts';

const [, , folder, each] = process.argv;
const TOOLS = { dialogoi, ptta, talktable, vizprompt };
const hook = (event, more = {}) =>
  JSON.stringify({ hook_event_name: event, session_id: 's', ...more });
const PRIVATE = 'a private question';

/** Each with what is on its standard input. */
const COMMANDS = [
  ['ptta hook', hook('SessionStart', { source: 'startup' })],
  ['ptta hook', hook('UserPromptSubmit', { prompt: PRIVATE })],
  [
    'ptta hook',
    hook('PostToolUse', {
      tool_name: 'Write',
      tool_input: { file_path: 'notes.md', content: 'x' },
    }),
  ],
  ['ptta search evil'],
  ['ptta history'],
  ['ptta recall evil'],
  ['ptta import transcripts'],
  ['ptta hooks:install --project'],
  ['talktable run talk.yaml'],
  ['talktable list'],
  ['talktable show'],
  ['talktable export'],
  ['talktable resume talk.yaml'],
  [`talktable say talk.yaml ${PRIVATE.replaceAll(' ', '-')}`],
  ['vizprompt workflow lint flow.yaml'],
  ['vizprompt workflow run flow.yaml --input {"topic":"x"}'],
  ['vizprompt workflow list'],
  ['vizprompt workflow resume'],
  ['dialogoi projects'],
  ['dialogoi index'],
  ['dialogoi search evil'],
  ['vizprompt search evil'],
  ['vizprompt check'],
  [`vizprompt chat --prompt ${PRIVATE.replaceAll(' ', '-')}`],
];

/** A hook reads and writes the streams of its process, and ends it. */
const write = process.stdout.write.bind(process.stdout);
const exit = process.exit.bind(process);
const ENDED = new Error('the hook has ended');
function end(text) {
  write(text, () => exit(0));
}
/** A known provider, which gets its own key at its own address without consent. No real server is to be asked. */
const PROVIDER = 'api.groq.com';
const { lookup } = dns;
dns.lookup = (name, ...rest) => {
  if (name !== PROVIDER) return lookup(name, ...rest);
  rest.at(-1)(Object.assign(new Error('no such host'), { code: 'ENOTFOUND' }));
};
let shown = '';
process.stdout.write = (text, done) => {
  shown += text;
  done?.();
  return true;
};
let hasEnded = false;
process.exit = () => {
  hasEnded = true;
  throw ENDED;
};

/** Has no factor in common with the number of commands, so that all have their turn. */
const STEP = 7;
let next = 0;
const ends = {};
for (const name of readdirSync(folder)) {
  const cwd = join(folder, name);
  // Some of them in each, in another order.
  for (let count = Number(each); count > 0; count--) {
    const [command, input = ''] = COMMANDS[next % COMMANDS.length];
    next += STEP;
    const [tool, ...words] = command.split(' ');
    const at = { cwd, input: input.replace('"s"', `"s","cwd":${JSON.stringify(cwd)}`) };
    const key = `${tool} ${words[0].replace(':', '-')} ${await run(tool, [...words, '--json'], at)}`;
    ends[key] = (ends[key] ?? 0) + 1;
  }
}
end(JSON.stringify(ends));

/** @returns The code of the error, or that of the end. */
async function run(tool, words, { cwd, input }) {
  const stdin = new PassThrough();
  stdin.end(input);
  const texts = { stdout: '', stderr: '' };
  const output = (which) =>
    new Writable({
      write(bytes, _, done) {
        texts[which] += bytes;
        done();
      },
    });
  const interrupts = new Interrupts(() => {});
  const limit = setTimeout(() => interrupts.interrupt(), 20_000);
  process.chdir(cwd);
  shown = '';
  hasEnded = false;
  // The descriptor of standard input, which is the lowest that is free.
  const typed = join(process.env.HOME, '.cache', 'typed');
  mkdirSync(dirname(typed), { recursive: true });
  writeFileSync(typed, input);
  closeSync(0);
  openSync(typed, 'r');
  try {
    const code = await runTool(TOOLS[tool], words, {
      cwd,
      env: process.env,
      home: process.env.HOME,
      stdin,
      stdout: output('stdout'),
      stderr: output('stderr'),
      interrupts,
    });
    texts.stdout += shown;
    if (`${texts.stdout}${texts.stderr}`.includes(process.env.GITHUB_TOKEN)) return 'SECRET SHOWN';
    if (tool === 'ptta' && texts.stdout.includes('evil.example')) return 'WORDS OF A STRANGER';
    if (code === 0 || hasEnded) return 'done';
    const [, told] = /"code":"([\w-]+)"/.exec(texts.stderr) ?? [];
    return told ?? `${code} ${texts.stderr.slice(0, 500)}`;
  } catch (error) {
    return `thrown ${error?.stack}`;
  } finally {
    clearTimeout(limit);
  }
}
