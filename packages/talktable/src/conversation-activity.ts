import type { Activity, Budget, TurnRecorder } from '@vizprompt/providers';
import type { TalkConfig } from './config/talk-config.ts';
import { TalkError } from './errors.ts';
import { ConversationManager } from './talk/conversation-manager.ts';
import type { TalkRun } from './talk/talk-run.ts';
import { checkArgument } from './check-input.ts';
import { checkCall, type ConversationManagerOptions } from './options.ts';
import { having } from '@vizprompt/providers/config/internal';

/** The input of a {@link conversationActivity}. */
export interface ConversationInput {
  /** Default: that of the config. */
  readonly topic?: string | undefined;
  /** Turns of participants at most. Default: as the config says. */
  readonly maxTurns?: number | undefined;
}

/** The output of a {@link conversationActivity}. */
export interface ConversationOutput {
  readonly conversationId: string;
  /** The moderator's closing words, or else the last that was said. */
  readonly conclusion: string;
  /** Markdown. */
  readonly transcript: string;
  /** Why the talk ended, such as `rounds: 3`. */
  readonly reason: string;
  /** Turns of participants. */
  readonly turns: number;
  /** Prompts and answers together. */
  readonly tokens: number;
}

/** Options of {@link conversationActivity}. */
export interface ConversationActivityOptions extends ConversationManagerOptions {
  /** The name of the activity. Default: `'conversation'`. */
  readonly name?: string | undefined;
  /** The path of a YAML file, or the config itself. */
  readonly config: string | URL | TalkConfig;
}

const GIVEN = having('{ config }', 'config');

/**
 * Runs a whole talk as a unit of work of another workflow. The talk is identified by the key of the
 * activity: run again under the same key, it continues where it was, and one that has come to its end is
 * not led again. Turns are reported by `emit`; the recorder and the budget of the workflow are used.
 *
 * @throws TalkError (from `run`); with the code `turn-failed` and the reason of the signal as `cause`
 * where it was aborted.
 *
 * @example
 * ```ts
 * const debate = conversationActivity({ name: 'debate', config: 'talk.yaml' });
 * const { conclusion } = await debate.run({ topic: '猫と犬' }, context);
 * ```
 */
export function conversationActivity(
  given: ConversationActivityOptions,
): Activity<ConversationInput, ConversationOutput> {
  checkArgument('the options of conversationActivity', given, GIVEN);
  const { name = 'conversation', config, ...options } = given;
  checkCall('open', options);
  return {
    specVersion: 1,
    name,
    input: {
      type: 'object',
      properties: { topic: { type: 'string' }, maxTurns: { type: 'integer', minimum: 1 } },
      additionalProperties: false,
    },
    output: {
      type: 'object',
      properties: {
        conversationId: { type: 'string' },
        conclusion: { type: 'string' },
        transcript: { type: 'string' },
        reason: { type: 'string' },
        turns: { type: 'integer' },
        tokens: { type: 'number' },
      },
      required: ['conversationId', 'conclusion', 'transcript', 'reason', 'turns', 'tokens'],
    },
    async run({ topic, maxTurns }, { key, signal, emit, budget, recorder }) {
      if (signal.aborted) throw aborted(key, signal);
      const overrides = { ...options.overrides, ...(topic === undefined ? {} : { topic }) };
      await using manager = await ConversationManager.open(config, {
        ...options,
        ...shared(options, budget, recorder),
        overrides,
      });
      manager.on('turn:ended', ({ turn: { number, speaker, text } }) => {
        emit('turn:ended', { conversationId: key, number, speaker, text });
      });
      const limits = maxTurns === undefined ? {} : { maxTurns };
      await lead(
        manager,
        key,
        () => manager.start({ conversationId: key, signal, ...limits }),
        signal,
      );
      // The manager must not be closed before.
      return await outputOf(manager, key);
    },
  };
}

function shared(
  { recorders = [], budget: own }: ConversationManagerOptions,
  budget: Budget | undefined,
  recorder: TurnRecorder | undefined,
): ConversationManagerOptions {
  const both = recorder ? [...recorders, recorder] : recorders;
  const one = budget ?? own;
  return { recorders: both, ...(one ? { budget: one } : {}) };
}

/** Leads the talk to its end, from wherever it is. */
async function lead(
  manager: ConversationManager,
  key: string,
  start: () => TalkRun,
  signal: AbortSignal,
): Promise<void> {
  const known = await manager.conversation(key).catch((error: unknown) => {
    if (TalkError.isInstance(error) && error.code === 'conversation-not-found') return undefined;
    throw error;
  });
  if (known?.status === 'done') return;
  const run = known ? manager.resume(key, { signal }) : start();
  const { status, reason } = await run.result();
  if (status === 'done') return;
  if (signal.aborted) throw aborted(key, signal);
  throw new TalkError('turn-failed', `the talk '${key}' was ${status}: ${reason}`);
}

function aborted(key: string, { reason }: AbortSignal): TalkError {
  const message = `the talk '${key}' was aborted: run the activity again under this key to continue`;
  return new TalkError('turn-failed', message, { cause: reason, context: { key } });
}

async function outputOf(manager: ConversationManager, id: string): Promise<ConversationOutput> {
  const { stopReason = '' } = await manager.conversation(id);
  const { inputTokens, outputTokens } = await manager.analyze(id);
  let conclusion = '';
  let turns = 0;
  for await (const turn of manager.turns(id)) {
    if (turn.kind === 'turn') turns++;
    if (turn.kind !== 'choice' && turn.kind !== 'verdict' && turn.text !== '')
      conclusion = turn.text;
  }
  const transcript = await manager.exportConversation(id, 'markdown');
  const tokens = inputTokens + outputTokens;
  return { conversationId: id, conclusion, transcript, reason: stopReason, turns, tokens };
}
