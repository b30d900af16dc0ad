/**
 * Models talking to each other under a moderator, logged turn by turn.
 *
 * @example
 * ```ts
 * await using manager = await ConversationManager.open('talk.yaml');
 * for await (const event of manager.start()) {
 *   if (event.type === 'turn:delta') process.stdout.write(event.text);
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
  StartOptions,
  TalkRecorder,
} from './options.ts';

export type { NextSpeaker } from './plan/moderator.ts';

export type { TalkEvent, TalkEvents, TalkResult } from './events.ts';

export { TalkError, type TalkErrorCode } from './errors.ts';

// Config
export type {
  ModeratorConfig,
  ParticipantConfig,
  SpeakerConfig,
  SpeakerOrder,
  TalkConfig,
} from './config/talk-config.ts';

export type { StopRule } from './stop/stop-rule.ts';

// The log
export { ConversationLog } from './reading/conversation-log.ts';

export type { FollowedTalkEvent, FollowOptions } from './reading/follow-talk.ts';

export type { Conversation } from './log/conversation.ts';

export type { TalkTurn } from './log/conversation.ts';

export type { TalkAnalysis } from './reading/analyze.ts';

// Deleting people
export { eraseSpeaker } from './erase/log-eraser.ts';

// In a workflow
export {
  conversationActivity,
  type ConversationActivityOptions,
  type ConversationInput,
  type ConversationOutput,
} from './conversation-activity.ts';

// Types that the exports above use, so that declarations can name them
export type { ModelPrice, TalkTimeouts } from './config/talk-config.ts';
export type { ContextReport, TurnPlace } from './events.ts';
export type { TalkStatus, TalkTurnKind, TalkTurnStatus } from './log/conversation.ts';
export type {
  Activity,
  Budget,
  ChatModel,
  ErasureReport,
  FinishReason,
  JsonValue,
  Logger,
  ModelRegistry,
  Retriever,
  Storage,
  TurnRecorder,
} from '@vizprompt/providers';
export type { ErrorJson, Unsubscribe } from '@vizprompt/providers/internal';
export type { TrustOption } from '@vizprompt/providers/trust';
export type { RunnableTool } from '@vizprompt/providers/generate';
