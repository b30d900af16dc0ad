import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { anthropic } from '../server/anthropic.ts';
import { chat } from '../server/chat.ts';
import { responses } from '../server/responses.ts';
import { shellCommand, type Agent } from './agent.ts';

const STARTS = { new: [], resume: ['--continue'], fork: [] } as const;

export const copilot: Agent = {
  name: 'Copilot CLI',
  install: 'copilot',
  command: 'copilot',
  hooks: 'copilot',
  protocols: [responses, chat, anthropic],
  starts: new Set(['new', 'resume']),
  fileActions: new Set(['create', 'edit']),
  thinks: true,
  tellsTask: true,
  // It sums up by a command that only its terminal has, and has no list of tasks without one.
  lacks: new Set(['compact', 'clear', 'plan']),
  async prepare({ home }) {
    await mkdir(join(home, '.copilot'), { recursive: true });
  },
  env: ({ url }) => ({
    COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
    COPILOT_PROVIDER_TYPE: 'openai',
    COPILOT_PROVIDER_API_KEY: 'dummy',
    COPILOT_MODEL: 'fake-1',
    COPILOT_OFFLINE: 'true',
    COPILOT_AUTO_UPDATE: 'false',
  }),
  args: (prompt, start) => [
    ...STARTS[start],
    '--allow-all-tools',
    '--allow-all-paths',
    '-p',
    prompt,
  ],
  call(action, cwd) {
    const path = (file: string): string => join(cwd, file);
    switch (action.kind) {
      case 'read':
      case 'look':
        return { name: 'view', input: { path: path(action.file) } };
      case 'create':
        return { name: 'create', input: { path: path(action.file), file_text: action.text } };
      case 'edit':
        return {
          name: 'edit',
          input: { path: path(action.file), old_str: action.from, new_str: action.to },
        };
      case 'delegate':
        return {
          name: 'task',
          input: {
            description: '子',
            prompt: action.task,
            agent_type: 'general-purpose',
            name: 'kodomo',
            mode: 'sync',
          },
        };
      default:
        return { name: 'bash', input: { command: shellCommand(action), description: '走らせる' } };
    }
  },
};
