import type { Agent } from './agent.ts';
import { claudeCode } from './claude-code.ts';
import { codexes } from './codex.ts';
import { copilot } from './copilot.ts';
import { gemini } from './gemini.ts';
import { opencode } from './opencode.ts';

/** All agents that are played with. */
export const AGENTS: readonly Agent[] = [claudeCode, ...codexes, gemini, copilot, opencode];

/** Returns the name of an agent in the names of its recordings. */
export function nameOf({ name }: Agent): string {
  return name
    .toLowerCase()
    .replaceAll(/[^a-z]+/g, '-')
    .replace(/-$/, '');
}
