import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gemini as protocol } from '../server/gemini.ts';
import { shellCommand, type Agent } from './agent.ts';

const STARTS = { new: [], resume: ['--resume', 'latest'], fork: [] } as const;

export const gemini: Agent = {
  name: 'Gemini CLI',
  install: 'gemini',
  command: 'gemini',
  hooks: 'gemini',
  protocols: [protocol],
  starts: new Set(['new', 'resume']),
  fileActions: new Set(['create', 'edit']),
  thinks: true,
  tellsTask: true,
  // It sums up by a command that only its terminal has, and has no list of tasks without one.
  lacks: new Set(['compact', 'clear', 'plan']),
  async prepare({ home }) {
    const settings = {
      security: { auth: { selectedType: 'gemini-api-key' } },
      general: { disableAutoUpdate: true, enableAutoUpdate: false },
      privacy: { usageStatisticsEnabled: false },
    };
    await mkdir(join(home, '.gemini'), { recursive: true });
    await writeFile(join(home, '.gemini', 'settings.json'), JSON.stringify(settings));
  },
  env: ({ url }) => ({
    GEMINI_API_KEY: 'dummy',
    GOOGLE_GEMINI_BASE_URL: url,
    GEMINI_TELEMETRY_ENABLED: 'false',
    GEMINI_CLI_TRUST_WORKSPACE: 'true',
  }),
  args: (prompt, start) => [...STARTS[start], '--yolo', '-p', prompt],
  ends: (answer) => ({ name: 'complete_task', input: { result: { response: answer } } }),
  call(action, cwd) {
    const path = (file: string): string => join(cwd, file);
    switch (action.kind) {
      case 'read':
      case 'look':
        return { name: 'read_file', input: { file_path: path(action.file) } };
      case 'create':
        return {
          name: 'write_file',
          input: { file_path: path(action.file), content: action.text },
        };
      case 'edit': {
        const { file, from: old_string, to: new_string } = action;
        const input = { file_path: path(file), instruction: '直す', old_string, new_string };
        return { name: 'replace', input };
      }
      case 'delegate':
        return { name: 'invoke_agent', input: { agent_name: 'generalist', prompt: action.task } };
      default:
        return {
          name: 'run_shell_command',
          input: { command: shellCommand(action), description: '走らせる' },
        };
    }
  },
};
