import { zodProblem } from '@vizprompt/providers/config/internal';
import { isError } from '@vizprompt/providers/internal';
import { z } from 'zod';
import type { Action } from './actions/define-action.ts';
import { EVENT_ACTIONS } from './actions/event-actions.ts';
import { FLOW_ACTIONS, HISTORY_ACTIONS } from './actions/flow-actions.ts';
import { BUILD_ACTIONS, MODEL_ACTIONS } from './actions/model-actions.ts';
import { FIND_ACTIONS, NODE_ACTIONS } from './actions/node-actions.ts';
import { type FieldProblem, MessageRefused } from './wire/error.ts';

/** The id that a client chose for its answer. */
export type MessageId = string | number;

/** A message that can be done. */
export interface Request {
  readonly id?: MessageId | undefined;
  readonly action: Action;
  /** Checked by the schema of the action. */
  readonly data: unknown;
}

/** The ids that a client may choose: a short text or a whole number. */
export const messageId: z.ZodUnion<readonly [z.ZodString, z.ZodInt]> = z.union([
  z.string().max(128),
  z.int(),
]);

const envelope = z.strictObject({
  id: messageId.exactOptional(),
  action: z.string(),
  data: z.unknown().optional(),
});

/** A message as JSON, and the id that its answer is to have, even if the rest cannot be understood. */
export interface ParsedMessage {
  readonly id?: MessageId;
  readonly value: unknown;
}

/** @throws MessageRefused `invalid_message` for what is not JSON. */
export function parseMessage(text: string): ParsedMessage {
  const value = parseJson(text);
  const given = z.looseObject({ id: messageId }).safeParse(value);
  return given.success ? { value, id: given.data.id } : { value };
}

/**
 * Checks a message, and the data of its action.
 *
 * @throws MessageRefused `invalid_message`, `unknown_action` or `invalid_input`.
 */
export function readRequest({ value: parsed, id: given }: ParsedMessage): Request {
  const message = envelope.safeParse(parsed, { error: zodProblem });
  if (!message.success) {
    const errors = problemsOf(message.error);
    throw new MessageRefused('invalid_message', `the message: ${listOf(errors)}`, { errors });
  }
  const action = ACTIONS.get(message.data.action);
  if (!action) {
    const known = [...ACTIONS.keys()].join(', ');
    throw new MessageRefused('unknown_action', `there is no such action: there are ${known}`);
  }
  const { data: sent = {} } = message.data;
  const read = action.read(sent);
  if (read.problems) {
    const errors = read.problems;
    throw new MessageRefused('invalid_input', `${action.name}: ${listOf(errors)}`, { errors });
  }
  return { action, data: read.value, ...(given === undefined ? {} : { id: given }) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // The parser's words without what it quotes: a message may hold secrets.
    const place = isError(error) ? /position (\d+)/.exec(error.message)?.[1] : undefined;
    const where =
      place === undefined ? 'it ends too early or holds something else' : `see character ${place}`;
    throw new MessageRefused('invalid_message', `the message is not JSON: ${where}`);
  }
}

function problemsOf(error: z.ZodError): FieldProblem[] {
  return error.issues.map(({ path, message }) => ({ field: path.join('.'), message }));
}

function listOf(errors: readonly FieldProblem[]): string {
  return errors
    .map(({ field, message }) => (field === '' ? message : `${field}: ${message}`))
    .join('; ');
}

/** Every action of the protocol, by its name. */
export const ACTIONS: ReadonlyMap<string, Action> = new Map(
  [
    ...NODE_ACTIONS,
    ...FLOW_ACTIONS,
    ...HISTORY_ACTIONS,
    ...FIND_ACTIONS,
    ...EVENT_ACTIONS,
    ...MODEL_ACTIONS,
    ...BUILD_ACTIONS,
  ].map((action) => [action.name, action]),
);
