import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { anthropic } from '../server/anthropic.ts';
import { shellCommand, type Agent } from './agent.ts';

const STARTS = { new: [], resume: ['--continue'], fork: ['--continue', '--fork-session'] } as const;

export const claudeCode: Agent = {
  name: 'Claude Code',
  install: 'claude-code',
  command: 'claude',
  hooks: 'claude-code',
  protocols: [anthropic],
  starts: new Set(['new', 'resume', 'fork']),
  fileActions: new Set(['create', 'edit']),
  thinks: true,
  tellsTask: true,
  // Its list of tasks needs a terminal.
  lacks: new Set(['plan']),
  async prepare({ home }) {
    await mkdir(join(home, '.claude'), { recursive: true });
    await writeFile(join(home, '.claude.json'), JSON.stringify({ hasCompletedOnboarding: true }));
  },
  env: ({ url }) => ({
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: 'sk-ant-dummy-0000000000000000',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_ERROR_REPORTING: '1',
    IS_SANDBOX: '1',
  }),
  args: (prompt, start) => [...STARTS[start], '--dangerously-skip-permissions', '-p', prompt],
  call(action, cwd) {
    const path = (file: string): string => join(cwd, file);
    switch (action.kind) {
      case 'read':
      case 'look':
        return { name: 'Read', input: { file_path: path(action.file) } };
      case 'create':
        return { name: 'Write', input: { file_path: path(action.file), content: action.text } };
      case 'edit': {
        const { file, from: old_string, to: new_string } = action;
        return { name: 'Edit', input: { file_path: path(file), old_string, new_string } };
      }
      case 'delegate':
        return {
          name: 'Agent',
          input: {
            description: '子',
            prompt: action.task,
            subagent_type: 'general-purpose',
            run_in_background: false,
          },
        };
      default:
        return { name: 'Bash', input: { command: shellCommand(action), description: '走らせる' } };
    }
  },
};
