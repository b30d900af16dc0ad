import { readdirSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Action } from '../scene.ts';
import type { Call } from '../server/protocol.ts';
import { responses } from '../server/responses.ts';
import { shellCommand, type Agent } from './agent.ts';

const STARTS = {
  new: () => ['exec'],
  resume: (home: string) => ['exec', 'resume', firstSession(home)],
  fork: (home: string) => ['exec', 'fork', firstSession(home)],
};

/** Returns the id of the session that began first: the newest one may be its fork. */
function firstSession(home: string): string {
  const files = readdirSync(join(home, '.codex', 'sessions'), {
    recursive: true,
    encoding: 'utf8',
  });
  const [first = ''] = files.filter((name) => name.endsWith('.jsonl')).toSorted();
  return /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}(?=\.jsonl$)/.exec(first)?.[0] ?? '';
}

/** Codex with a model that calls tools, and with one that writes JavaScript which calls them. */
export const codexes: readonly Agent[] = [
  // Only newer models are given subagents.
  { ...codexWith('Codex', 'gpt-5.5', toolCall), lacks: new Set(['delegate', 'compact', 'clear']) },
  {
    ...codexWith('Codex (code)', 'gpt-6.1-sol', codeCall),
    lacks: new Set(['compact', 'clear']),
    waits: { name: 'wait_agent', input: { timeout_ms: 20_000 }, namespace: 'collaboration' },
  },
];

function codexWith(name: string, model: string, call: Agent['call']): Agent {
  return {
    name,
    install: 'codex',
    command: 'codex',
    hooks: 'codex',
    protocols: [responses],
    starts: new Set(['new', 'resume', 'fork']),
    fileActions: new Set(['create', 'edit', 'move', 'delete']),
    thinks: true,
    tellsTask: true,
    async prepare({ home, url }) {
      await mkdir(join(home, '.codex'), { recursive: true });
      await writeFile(join(home, '.codex', 'config.toml'), configOf(model, url));
    },
    env: () => ({ FAKE_KEY: 'dummy' }),
    args: (prompt, start, { home }) => [
      ...STARTS[start](home),
      '--skip-git-repo-check',
      '--dangerously-bypass-hook-trust',
      prompt,
    ],
    call,
  };
}

function configOf(model: string, url: string): string {
  return `model = "${model}"
model_provider = "fake"
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false
[analytics]
enabled = false
[model_providers.fake]
name = "fake"
base_url = "${url}/v1"
wire_api = "responses"
env_key = "FAKE_KEY"
request_max_retries = 0
stream_max_retries = 0
supports_websockets = false
`;
}

/** Returns the lines of a patch, in the form of Codex. */
function patchOf(action: Action): string | undefined {
  const lines = linesOf(action);
  return lines && ['*** Begin Patch', ...lines, '*** End Patch'].join('\n');
}

function linesOf(action: Action): readonly string[] | undefined {
  switch (action.kind) {
    case 'create': {
      const added = action.text.replace(/\n$/, '').split('\n');
      return [`*** Add File: ${action.file}`, ...added.map((line) => `+${line}`)];
    }
    case 'edit':
      return [`*** Update File: ${action.file}`, '@@', `-${action.from}`, `+${action.to}`];
    case 'move':
      // A patch that only moves has no lines, and is refused.
      return [
        `*** Update File: ${action.file}`,
        `*** Move to: ${action.to}`,
        '@@',
        ' 一',
        '-二',
        '+二',
      ];
    case 'delete':
      return [`*** Delete File: ${action.file}`];
    default:
      return undefined;
  }
}

function toolCall(action: Action, cwd: string): Call {
  const text = patchOf(action);
  if (text !== undefined) return { name: 'apply_patch', input: {}, text };
  if (action.kind === 'look')
    return { name: 'view_image', input: { path: join(cwd, action.file) } };
  if (action.kind === 'plan') {
    const plan = action.items.map((step) => ({ step, status: 'pending' }));
    return { name: 'update_plan', input: { plan } };
  }
  if (action.kind === 'delegate') {
    return { name: 'spawn_agent', input: { message: action.task, task_name: 'kodomo' } };
  }
  const cmd = action.kind === 'read' ? `cat ${action.file}` : shellCommand(action);
  return { name: 'exec_command', input: { cmd } };
}

function codeCall(action: Action, cwd: string): Call {
  const call = toolCall(action, cwd);
  if (action.kind === 'delegate') {
    return { ...call, input: { ...call.input, fork_turns: 'none' }, namespace: 'collaboration' };
  }
  const input = call.text === undefined ? JSON.stringify(call.input) : JSON.stringify(call.text);
  const text = `const r = await tools.${call.name}(${input}); text(JSON.stringify(r));`;
  return { name: 'exec', input: {}, text };
}
