import {
  textOf,
  type JsonObject,
  type JsonValue,
  type Part,
  type Turn,
  type TurnRecorder,
} from '@vizprompt/providers';
import { TURN } from '@vizprompt/providers/config/internal';
import { omitUndefined } from '@vizprompt/providers/internal';
import { checkArgument, checkOptions } from '../check-values.ts';
import { idFromNames } from '../model/ids-and-times.ts';
import { WORKSPACE } from '../model/input-kinds.ts';
import type { NewEvent } from '../model/memory-event.ts';
import { AUDIENCE, type Audience } from '../session/audience.ts';
import { startSession } from '../session/start-session.ts';
import type { MemoryContext } from '../store/memory-context.ts';
import { logEvents } from './log-events.ts';

/** Options of `recorder`. */
export interface RecorderOptions extends Audience {
  /** The folder that the conversations belong to. Default: the current one. */
  readonly workspace?: string | undefined;
}

/** Keeps the turns of conversations that are led elsewhere: each conversation becomes a session. */
export function createRecorder(
  context: () => MemoryContext,
  options: RecorderOptions,
): TurnRecorder {
  checkOptions('recorder', options, { workspace: WORKSPACE, ...AUDIENCE });
  const { workspace, user, room } = options;
  return {
    specVersion: 1,
    async record(turn) {
      const store = context();
      checkArgument('the turn of record', turn, TURN);
      if (turn.status === 'pending') return;
      const { id } = await startSession(store, {
        id: sessionOfConversation(turn.conversationId),
        ...(workspace === undefined ? {} : { workspace }),
        startedAt: turn.startedAt,
        metadata: { conversation: turn.conversationId },
        ifExists: 'keep',
        user,
        room,
      });
      const events = eventsOfTurn(turn);
      await logEvents(store, id, events, { duplicates: 'skip', intoEnded: true });
    },
  };
}

/** Returns the id of the session that a recorder keeps a conversation in. */
export function sessionOfConversation(conversation: string): string {
  return idFromNames('conversation', conversation);
}

/** Returns the events of a turn that has come to its end: message, thoughts, tool uses, answer. */
function eventsOfTurn(turn: Turn): readonly NewEvent[] {
  const { conversationId, id, follows, startedAt, endedAt = startedAt } = turn;
  const [first] = follows;
  const parent = first === undefined ? {} : { parent: answerId(conversationId, first) };
  const meta = {
    turn: id,
    speaker: turn.speaker,
    ...(turn.model === undefined ? {} : { model: turn.model }),
  };
  const facts = (
    name: string,
    timestamp: string,
  ): Pick<Required<NewEvent>, 'id' | 'timestamp' | 'meta'> => ({
    id: idFromNames('turn', conversationId, id, name),
    timestamp,
    meta,
  });
  const message = messageOf(turn.input);
  const asked: readonly NewEvent[] =
    turn.input.length === 0
      ? []
      : [
          {
            ...facts('message', startedAt),
            ...parent,
            type: 'user_message',
            data: { content: message },
            meta: {
              turn: id,
              ...(turn.askedBy === undefined ? {} : { speaker: turn.askedBy }),
              ...filesOf(turn.input),
            },
          },
        ];
  const cause = asked[0]?.id === undefined ? parent : { parent: asked[0].id };
  const between = [...thoughts(turn.output), ...toolUses(turn)].map((event, index): NewEvent => ({
    ...facts(`part ${index}`, endedAt),
    ...cause,
    ...event,
  }));
  const answer: NewEvent = {
    ...facts('answer', endedAt),
    ...cause,
    type: 'assistant_message',
    data: { content: messageOf(turn.output), ...callsOf(turn.output) },
    meta: { ...meta, ...factsOf(turn) },
  };
  return [...asked, ...between, answer];
}

/** Returns the id of the event that ends a turn, and that those which follow it have as their parent. */
function answerId(conversation: string, turn: string): string {
  return idFromNames('turn', conversation, turn, 'answer');
}

/** Lone surrogates in streamed text that broke off are repaired. */
function messageOf(parts: readonly Part[]): string {
  return textOf(parts).toWellFormed();
}

type Loose = Extract<NewEvent, { type: 'thinking' | 'tool_use' }>;

function thoughts(parts: readonly Part[]): Loose[] {
  return parts.flatMap((part): Loose[] =>
    part.type === 'reasoning'
      ? [{ type: 'thinking', data: { content: part.text.toWellFormed() } }]
      : [],
  );
}

/** Each call with its result; a result whose call was in an earlier turn is alone. */
function toolUses({ input, output }: Turn): Loose[] {
  const results = [...input, ...output].filter((part) => part.type === 'tool-result');
  const calls = output.filter((part) => part.type === 'tool-call');
  const known = new Set(calls.map(({ id }) => id));
  const uses = calls.map(({ id, name, input: parameters }): Loose => {
    const result = results.find((one) => one.id === id);
    const outcome = result ? { result: result.output, success: result.isError !== true } : {};
    return { type: 'tool_use', data: { tool: name, parameters, ...outcome } };
  });
  const alone = results
    .filter(({ id }) => !known.has(id))
    .map(({ id, name, output: result, isError }): Loose => ({
      type: 'tool_use',
      data: { tool: name, parameters: { call: id }, result, success: isError !== true },
    }));
  return [...uses, ...alone];
}

function callsOf(parts: readonly Part[]): {
  readonly tool_calls?: readonly { readonly tool: string; readonly args: JsonValue }[];
} {
  const calls = parts.filter((part) => part.type === 'tool-call');
  return calls.length === 0
    ? {}
    : { tool_calls: calls.map(({ name, input }) => ({ tool: name, args: input })) };
}

function filesOf(parts: readonly Part[]): { readonly files?: readonly JsonObject[] } {
  const files = parts.filter((part) => part.type === 'file');
  if (files.length === 0) return {};
  return {
    files: files.map(({ mediaType, name, data }) => ({
      media_type: mediaType,
      ...(name === undefined ? {} : { name }),
      ...(data instanceof URL ? { url: data.href } : { bytes: data.length }),
    })),
  };
}

function factsOf({ kind, status, follows, usage, error, output }: Turn): JsonObject {
  const { raw: _raw, ...counts } = usage ?? {};
  return {
    kind,
    status,
    follows,
    ...(usage ? { usage: counts } : {}),
    ...(error ? { error: { name: error.name, code: error.code, message: error.message } } : {}),
    ...filesOf(output),
    ...sourcesOf(output),
  };
}

/** Returns the sources of an answer, as the model named them. */
function sourcesOf(parts: readonly Part[]): { readonly sources?: readonly JsonObject[] } {
  const sources = parts.filter((part) => part.type === 'source');
  if (sources.length === 0) return {};
  return { sources: sources.map(({ url, title, text }) => omitUndefined({ url, title, text })) };
}
