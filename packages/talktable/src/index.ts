/**
 * Models talking to each other under a moderator, logged turn by turn.
 *
 * @example
 * ```ts
 * await using manager = await ConversationManager.open('talk.yaml');
 * for await (const event of manager.start()) {
 *   if (event.type === 'delta') process.stdout.write(event.text);
 * }
 * ```
 *
 * @module @vizprompt/talktable
 */

// Leading a talk
export { ConversationManager } from './talk/conversation-manager.ts';

export type { TalkRun } from './talk/talk-run.ts';

export type {
  AskPerson,
  ConversationManagerOptions,
  RunOptions,
  SayOptions,
  StartOptions,
  TalkRecorder,
} from './options.ts';

export type { NextSpeaker, OrderView } from './plan/moderator.ts';

export type { TalkEvent, TalkEvents, TalkResult, TurnPlace } from './events.ts';

export type { ContextReport } from './view/build-view.ts';
export { TalkError, type TalkErrorCode } from './errors.ts';

// Config
export type {
  ModelPrice,
  ModeratorConfig,
  ParticipantConfig,
  SpeakerConfig,
  SpeakerOrder,
  TalkConfig,
  TalkTimeouts,
} from './config/talk-config.ts';

export type { SimilarityRule, StopRule } from './stop/stop-rule.ts';

// The log
export { ConversationLog } from './reading/conversation-log.ts';

export type { Conversation, ConversationSpeaker, TalkStatus } from './log/conversation.ts';

export type { TalkTurn, TalkTurnKind, TalkTurnStatus } from './log/conversation.ts';

export type { TalkExportFormat } from './reading/export-talk.ts';

export type { SpeakerAnalysis, TalkAnalysis } from './reading/analyze.ts';

// Deleting people
export { eraseSpeaker } from './erase/erase-speaker.ts';

// In a workflow
export {
  conversationActivity,
  type ConversationActivityOptions,
  type ConversationInput,
  type ConversationOutput,
} from './conversation-activity.ts';
