import { homedir } from 'node:os';
import { join } from 'node:path';

/** The agents whose hooks can be set up. */
export const HOOK_AGENTS = ['claude-code', 'codex', 'copilot', 'gemini'] as const;

/** An agent whose hooks can be set up. */
export type HookAgent = (typeof HOOK_AGENTS)[number];

/** Format and location of the hook settings of an agent. */
export interface HookForm {
  /** The settings file in a project; `user` returns that of this user. */
  readonly project: readonly string[];
  user(): string;
  /** Its events, with the tools that they are for. */
  readonly events: readonly (readonly [event: string, matcher?: string])[];
  /** Content of a new settings file. */
  readonly empty: string;
  /** Returns an entry of an event. */
  entry(command: string, matcher: string | undefined): object;
}

/** The tools of Claude Code that change files: only their calls are announced. */
const EDITORS = 'Edit|MultiEdit|Write|NotebookEdit';
const TIMEOUT_SECONDS = 10;

/** Claude Code's form, which others took over: groups of hooks, by the tools that they are for. */
function grouped(timeout: number): HookForm['entry'] {
  return (command, matcher) => ({
    ...(matcher === undefined ? {} : { matcher }),
    hooks: [{ type: 'command', command, timeout }],
  });
}

/** The forms of all agents. Source: docs/formats/agent-hooks.md. */
export const HOOK_FORMS: Readonly<Record<HookAgent, HookForm>> = {
  'claude-code': {
    project: ['.claude', 'settings.json'],
    user: () =>
      join(process.env['CLAUDE_CONFIG_DIR'] ?? join(homedir(), '.claude'), 'settings.json'),
    events: [
      ['SessionStart'],
      ['UserPromptSubmit'],
      ['PreToolUse', EDITORS],
      ['PostToolUse', '*'],
      ['PostToolUseFailure', '*'],
      ['Stop'],
      ['SubagentStop'],
      ['PreCompact'],
      ['SessionEnd'],
    ],
    empty: '{}\n',
    entry: grouped(TIMEOUT_SECONDS),
  },
  codex: {
    project: ['.codex', 'hooks.json'],
    user: () => join(process.env['CODEX_HOME'] ?? join(homedir(), '.codex'), 'hooks.json'),
    events: [
      ['SessionStart'],
      ['UserPromptSubmit'],
      ['PostToolUse'],
      ['PreCompact'],
      ['SubagentStop'],
      ['Stop'],
    ],
    empty: '{}\n',
    entry: grouped(TIMEOUT_SECONDS),
  },
  gemini: {
    project: ['.gemini', 'settings.json'],
    user: () => join(process.env['GEMINI_CLI_HOME'] ?? homedir(), '.gemini', 'settings.json'),
    events: [
      ['SessionStart'],
      ['BeforeAgent'],
      ['AfterTool', '*'],
      ['AfterAgent'],
      ['PreCompress'],
      ['SessionEnd'],
    ],
    empty: '{}\n',
    entry: grouped(TIMEOUT_SECONDS * 1000),
  },
  copilot: {
    project: ['.github', 'hooks', 'ptta.json'],
    user: () =>
      join(process.env['COPILOT_HOME'] ?? join(homedir(), '.copilot'), 'hooks', 'ptta.json'),
    events: [
      ['SessionStart'],
      ['UserPromptSubmit'],
      ['PostToolUse'],
      ['SubagentStop'],
      ['Stop'],
      ['SessionEnd'],
    ],
    empty: '{ "version": 1 }\n',
    entry: (command) => ({ type: 'command', bash: command, timeoutSec: TIMEOUT_SECONDS }),
  },
};
