import { homedir } from 'node:os';
import { join } from 'node:path';
import { opencodePlugin } from './opencode-plugin.ts';

/** The agents whose hooks can be set up. */
export const HOOK_AGENTS = ['claude-code', 'codex', 'copilot', 'gemini', 'opencode'] as const;

/** An agent whose hooks can be set up. */
export type HookAgent = (typeof HOOK_AGENTS)[number];

/** Location of what sets up the hooks of an agent. */
interface HookPlace {
  /** The file in a project; `user` returns that of this user. */
  readonly project: readonly string[];
  user(): string;
}

/** Format and location of the hooks of an agent: settings, or a program. */
export type HookForm = PluginForm | SettingsForm;

/** Hooks that are a program of their own, in a file that nothing else is in. */
interface PluginForm extends HookPlace {
  /** The program, which runs a command. */
  plugin(command: string): string;
}

/** Hooks that are commands in settings. */
interface SettingsForm extends HookPlace {
  /** Its events. */
  readonly events: readonly HookEvent[];
  /** Content of a new settings file. */
  readonly empty: string;
  /** An entry of an event. */
  entry(command: string, event: HookEvent): object;
}

/** An event of an agent for which the memory has a hook. */
export interface HookEvent {
  readonly name: string;
  /** The tools that it is for. Default: it is for none, or for all. */
  readonly matcher?: string;
  /** True if the agent does not wait for it, as the transcript has what the hook records, too. Default: `false`. */
  readonly isAsync?: boolean;
}

/** The tools of Claude Code that change files: only their calls are announced. */
const EDITORS = 'Edit|MultiEdit|Write|NotebookEdit';
const TIMEOUT_SECONDS = 10;

/** Claude Code's form, which others took over: groups of hooks, by the tools that they are for. */
function grouped(timeout: number): SettingsForm['entry'] {
  return (command, { matcher, isAsync }) => ({
    ...(matcher === undefined ? {} : { matcher }),
    hooks: [{ type: 'command', command, timeout, ...(isAsync === true ? { async: true } : {}) }],
  });
}

/** The forms of all agents. Source: docs/formats/agent-hooks.md. */
export const HOOK_FORMS: Readonly<Record<HookAgent, HookForm>> = {
  'claude-code': {
    project: ['.claude', 'settings.json'],
    user: () =>
      join(process.env['CLAUDE_CONFIG_DIR'] ?? join(homedir(), '.claude'), 'settings.json'),
    events: [
      { name: 'SessionStart' },
      { name: 'UserPromptSubmit' },
      { name: 'PreToolUse', matcher: EDITORS },
      { name: 'PostToolUse', matcher: '*', isAsync: true },
      { name: 'PostToolUseFailure', matcher: '*', isAsync: true },
      { name: 'Stop' },
      { name: 'SubagentStop', isAsync: true },
      { name: 'PreCompact', isAsync: true },
      { name: 'SessionEnd' },
    ],
    empty: '{}\n',
    entry: grouped(TIMEOUT_SECONDS),
  },
  codex: {
    project: ['.codex', 'hooks.json'],
    user: () => join(process.env['CODEX_HOME'] ?? join(homedir(), '.codex'), 'hooks.json'),
    events: [
      { name: 'SessionStart' },
      { name: 'UserPromptSubmit' },
      { name: 'PostToolUse' },
      { name: 'PreCompact' },
      { name: 'SubagentStop' },
      { name: 'Stop' },
    ],
    empty: '{}\n',
    entry: grouped(TIMEOUT_SECONDS),
  },
  gemini: {
    project: ['.gemini', 'settings.json'],
    user: () => join(process.env['GEMINI_CLI_HOME'] ?? homedir(), '.gemini', 'settings.json'),
    events: [
      { name: 'SessionStart' },
      { name: 'BeforeAgent' },
      { name: 'AfterTool', matcher: '*' },
      { name: 'AfterAgent' },
      { name: 'PreCompress' },
      { name: 'SessionEnd' },
    ],
    empty: '{}\n',
    entry: grouped(TIMEOUT_SECONDS * 1000),
  },
  copilot: {
    project: ['.github', 'hooks', 'ptta.json'],
    user: () =>
      join(process.env['COPILOT_HOME'] ?? join(homedir(), '.copilot'), 'hooks', 'ptta.json'),
    events: [
      { name: 'SessionStart' },
      { name: 'UserPromptSubmit' },
      { name: 'PostToolUse' },
      { name: 'SubagentStop' },
      { name: 'Stop' },
      { name: 'SessionEnd' },
    ],
    empty: '{ "version": 1 }\n',
    entry: (command) => ({ type: 'command', bash: command, timeoutSec: TIMEOUT_SECONDS }),
  },
  opencode: {
    project: ['.opencode', 'plugins', 'ptta.js'],
    user: () => {
      const config = process.env['XDG_CONFIG_HOME'] ?? join(homedir(), '.config');
      const folder = process.env['OPENCODE_CONFIG_DIR'] ?? join(config, 'opencode');
      return join(folder, 'plugins', 'ptta.js');
    },
    plugin: opencodePlugin,
  },
};
