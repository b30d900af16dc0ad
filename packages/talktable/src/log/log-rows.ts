import { type FinishReason, type Row } from '@vizprompt/providers';
import {
  omitUndefined as defined,
  type ErrorJson,
  toStorable,
} from '@vizprompt/providers/internal';
import type {
  Conversation,
  ConversationSpeaker,
  TalkStatus,
  TalkTurn,
  TalkTurnKind,
  TalkTurnStatus,
} from './conversation.ts';

/** A row of `conversation_log`. Rows of the older tool have no value in the added columns. */
export interface LogRow {
  readonly id: number;
  readonly conversation_id: string;
  readonly turn_number: number;
  readonly speaker_name: string | null;
  readonly model_used: string | null;
  readonly prompt: string | null;
  readonly response: string | null;
  readonly is_moderator: number | null;
  readonly timestamp: string | null;
  readonly kind: TalkTurnKind | null;
  readonly status: TalkTurnStatus | null;
  readonly attempt: number | null;
  readonly error: string | null;
  readonly input_tokens: number | null;
  readonly output_tokens: number | null;
  readonly latency_ms: number | null;
  readonly cost_usd: number | null;
  readonly visible_to: string | null;
  readonly exact: string | null;
  readonly finish_reason: FinishReason | null;
}

const COLUMNS = (
  'id conversation_id turn_number speaker_name model_used prompt response is_moderator timestamp kind ' +
  'status attempt error input_tokens output_tokens latency_ms cost_usd visible_to exact finish_reason'
).split(' ');

/**
 * What is selected of a row: all columns, as far as the table has them.
 *
 * @param known - The columns of the table; absent where it has all.
 * @param prompts - Whether the prompt is among them, which is by far the largest.
 */
export function selectedColumns(known: ReadonlySet<string> | undefined, prompts: boolean): string {
  const isThere = (name: string): boolean =>
    (known?.has(name) ?? true) && (prompts || name !== 'prompt');
  return COLUMNS.map((name) => (isThere(name) ? name : `NULL AS ${name}`)).join(', ');
}

export function toTurn(row: LogRow): TalkTurn {
  const exact = readExact(row.exact);
  const isModerator = Boolean(row.is_moderator);
  return {
    id: row.id,
    conversationId: row.conversation_id,
    number: row.turn_number,
    speaker: row.speaker_name ?? '',
    isModerator,
    kind: row.kind ?? oldKind(isModerator, row.turn_number),
    status: row.status ?? 'done',
    prompt: row.prompt === null ? '' : (exact['prompt'] ?? row.prompt),
    text: exact['response'] ?? row.response ?? '',
    attempt: row.attempt ?? 1,
    startedAt: isoTime(row.timestamp),
    ...defined({
      model: row.model_used ?? undefined,
      latencyMs: row.latency_ms ?? undefined,
      inputTokens: row.input_tokens ?? undefined,
      outputTokens: row.output_tokens ?? undefined,
      costUsd: row.cost_usd ?? undefined,
      error: readError(row.error),
      visibleTo: readNames(row.visible_to),
      finishReason: row.finish_reason ?? undefined,
    }),
  };
}

function oldKind(isModerator: boolean, number: number): TalkTurnKind {
  if (!isModerator) return 'turn';
  return number === 0 ? 'opening' : 'summary';
}

function readError(json: string | null): ErrorJson | undefined {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by this package
  return json === null ? undefined : (JSON.parse(json) as ErrorJson);
}

function readNames(json: string | null): readonly string[] | undefined {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by this package
  return json === null ? undefined : (JSON.parse(json) as readonly string[]);
}

/** SQLite's own `CURRENT_TIMESTAMP` is UTC without saying so. */
function isoTime(time: string | null): string {
  const plain = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d(?:\.\d+)?)$/.exec(time ?? '');
  return plain ? `${plain[1]}T${plain[2]}Z` : (time ?? '');
}

/** A row of `conversation_meta`. */
export interface MetaRow extends Row {
  readonly conversation_id: string;
  readonly topic: string | null;
  readonly participant_a_name: string | null;
  readonly participant_a_model: string | null;
  readonly participant_b_name: string | null;
  readonly participant_b_model: string | null;
  readonly moderator_name: string | null;
  readonly moderator_model: string | null;
  readonly start_time: string | null;
  readonly status: string | null;
  readonly limits: string | null;
  readonly stop_reason: string | null;
  readonly error: string | null;
  readonly end_time: string | null;
}

/** A row of `conversation_participant`. */
export interface ParticipantRow extends Row {
  readonly conversation_id: string;
  readonly name: string;
  readonly model: string | null;
  readonly persona: string | null;
}

export function toConversation(meta: MetaRow, rows: readonly ParticipantRow[]): Conversation {
  const old = [
    { name: meta.participant_a_name, model: meta.participant_a_model, persona: null },
    { name: meta.participant_b_name, model: meta.participant_b_model, persona: null },
  ];
  const participants = (rows.length > 0 ? rows : old).flatMap(({ name, model, persona }) =>
    name === null ? [] : [speakerOf(name, model, persona)],
  );
  const moderator =
    meta.moderator_name === null
      ? undefined
      : speakerOf(meta.moderator_name, meta.moderator_model, null);
  return {
    id: meta.conversation_id,
    topic: meta.topic ?? '',
    participants,
    startedAt: isoTime(meta.start_time),
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by this package
    status: (meta.status ?? 'done') as TalkStatus,
    ...defined({
      moderator,
      endedAt: meta.end_time ?? undefined,
      stopReason: meta.stop_reason ?? undefined,
      error: meta.error ?? undefined,
    }),
  };
}

function speakerOf(
  name: string,
  model: string | null,
  persona: string | null,
): ConversationSpeaker {
  return { name, ...defined({ model: model ?? undefined, persona: persona ?? undefined }) };
}

/**
 * The two long texts of a turn as its columns hold them, and where these are not the texts themselves,
 * `exact`: those as JSON. Otherwise it is `null`.
 */
interface StoredTexts {
  readonly prompt: string;
  readonly response: string;
  readonly exact: string | null;
}

/** Each text is looked at once: a prompt is long, and every turn has one. */
export function storedTexts(prompt: string, response: string): StoredTexts {
  const stored = { prompt: toStorable(prompt), response: toStorable(response) };
  const broken = {
    ...(stored.prompt === prompt ? {} : { prompt }),
    ...(stored.response === response ? {} : { response }),
  };
  const isWhole = Object.keys(broken).length === 0;
  return { ...stored, exact: isWhole ? null : JSON.stringify(broken) };
}

/** The texts of the column `exact`, by the column that they belong to. */
export function readExact(exact: string | null): Readonly<Record<string, string>> {
  if (exact === null) return {};
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by storedTexts
  return JSON.parse(exact) as Record<string, string>;
}
