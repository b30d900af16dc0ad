import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chat } from '../server/chat.ts';
import { shellCommand, type Agent } from './agent.ts';

const STARTS = { new: [], resume: ['--continue'], fork: ['--continue', '--fork'] } as const;

export const opencode: Agent = {
  name: 'opencode',
  install: 'opencode',
  command: 'opencode',
  hooks: 'opencode',
  protocols: [chat],
  starts: new Set(['new', 'resume', 'fork']),
  fileActions: new Set(['create', 'edit']),
  thinks: true,
  tellsTask: true,
  // It sums up by a command that only its terminal has.
  lacks: new Set(['compact', 'clear']),
  async prepare({ home, url }) {
    const model = {
      name: 'fake-1',
      reasoning: true,
      tool_call: true,
      limit: { context: 100_000, output: 8000 },
    };
    const config = {
      $schema: 'https://opencode.ai/config.json',
      autoupdate: false,
      share: 'disabled',
      model: 'fake/fake-1',
      small_model: 'fake/fake-1',
      permission: 'allow',
      provider: {
        fake: {
          npm: '@ai-sdk/openai-compatible',
          name: 'fake',
          options: { baseURL: `${url}/v1`, apiKey: 'dummy' },
          models: { 'fake-1': model },
        },
      },
    };
    await mkdir(join(home, '.config', 'opencode'), { recursive: true });
    await writeFile(join(home, '.config', 'opencode', 'opencode.json'), JSON.stringify(config));
  },
  env: ({ home }) => ({
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    OPENCODE_DISABLE_MODELS_FETCH: '1',
    OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
    XDG_CONFIG_HOME: join(home, '.config'),
    XDG_DATA_HOME: join(home, '.local', 'share'),
    XDG_STATE_HOME: join(home, '.local', 'state'),
    XDG_CACHE_HOME: join(home, '.cache'),
  }),
  // It quotes arguments that have blanks.
  hears: (prompt) => `"${prompt}"`,
  args: (prompt, start) => ['run', ...STARTS[start], prompt],
  call(action, cwd) {
    const path = (file: string): string => join(cwd, file);
    switch (action.kind) {
      case 'read':
      case 'look':
        return { name: 'read', input: { filePath: path(action.file) } };
      case 'create':
        return { name: 'write', input: { filePath: path(action.file), content: action.text } };
      case 'edit': {
        const { file, from: oldString, to: newString } = action;
        return { name: 'edit', input: { filePath: path(file), oldString, newString } };
      }
      case 'plan': {
        const rest = { status: 'pending', priority: 'medium' };
        const todos = action.items.map((content) => ({ content, ...rest }));
        return { name: 'todowrite', input: { todos } };
      }
      case 'delegate':
        return {
          name: 'task',
          input: { description: '子', prompt: action.task, subagent_type: 'general' },
        };
      default:
        return { name: 'bash', input: { command: shellCommand(action), description: '走らせる' } };
    }
  },
};
