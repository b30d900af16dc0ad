/**
 * Configs from files, checked, and their JSON Schema. This entry loads zod and yaml with the first call.
 *
 * @module @vizprompt/talktable/config
 */
export {
  checkTalkConfig,
  loadTalkConfig,
  parseTalkConfig,
  type LoadConfigOptions,
} from './load-config.ts';
export { readTalkTrust, talkUses } from './talk-trust.ts';
export type { PlacedConfigIssue } from './config-issue.ts';
export type { TalkConfig } from '../index.ts';
export type { TrustRequest } from '@vizprompt/providers/trust';
