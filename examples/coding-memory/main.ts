// Two sessions of a coding agent, of which the second knows what the first one did:
//   npx tsx examples/coding-memory/main.ts [--web]
//
// Everything happens in ./coding-memory-data, which is rebuilt: a small project, a home of its own, and a stand-in
// for Claude Code that calls the hooks as Claude Code does. --web shows the sessions in a browser, until Ctrl+C.
import { parseArgs } from 'node:util';
import { ClaudeCode } from './claude-code.ts';
import { Scratch } from './scratch.ts';

const { values } = parseArgs({ options: { web: { type: 'boolean', default: false } } });

const scratch = await Scratch.make('coding-memory-data');
title('1. The hooks are installed into the project');
await show('ptta hooks:install --project --data .ptta');

title('2. A first session: Claude Code calls the hooks while it works');
const first = await ClaudeCode.start(scratch);
await first.prompt('ログインに期限を付けてください。');
await first.think('ライブラリは足さない。発行からの時間だけを見る。まず30分にする。');
await first.write(
  'src/auth.ts',
  `const LIFETIME_MINUTES = 30;

export function isExpired(issuedAt: Date, now = new Date()): boolean {
  return now.getTime() - issuedAt.getTime() > LIFETIME_MINUTES * 60_000;
}
`,
);
await first.bash('npm test', '3 passed');
await first.answer('期限を付けました。30分です。');
await first.prompt('30分は短すぎます。現場の端末では一日に何度もログインすることになります。');
await first.think('長くするほど、盗まれたときの害が大きい。勤務一回分の12時間までにとどめる。');
await first.edit('src/auth.ts', 'const LIFETIME_MINUTES = 30;', 'const LIFETIME_MINUTES = 720;');
await first.answer('12時間にしました。');
await first.end();

title('3. The next session begins with what is recalled');
const second = await ClaudeCode.start(scratch);
console.log(second.context);
await second.end();

title('4. Why is the file as it is?');
await show('ptta file:history src/auth.ts');

title('5. The events that fit the question, in at most 300 tokens');
await show('ptta recall "12時間にしたのはなぜ？" --path src/auth.ts --budget 300');

title('6. All of it can be searched');
await show('ptta search 端末');

if (values.web) {
  title('7. And read in a browser');
  await scratch.stayWith('ptta web --port 0');
}

/** Runs a command, as it would be typed. */
async function show(command: string): Promise<void> {
  console.log(`$ ${command}`);
  console.log((await scratch.run(command)).trimEnd());
}

function title(text: string): void {
  console.log(`\n${text}\n${'-'.repeat(text.length)}`);
}
