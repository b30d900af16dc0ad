import type { FinishReason, Row, Statement } from '@vizprompt/providers';
import {
  damageOf,
  omitUndefined as defined,
  StoredRow,
  toStorable,
} from '@vizprompt/providers/internal';
import type {
  Conversation,
  ConversationSpeaker,
  TalkLimits,
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
 * Returns the selected columns of a row: all of them, as far as the table has them.
 *
 * @param known - The columns of the table; absent where it has all.
 * @param prompts - True if the prompt is among them, which is by far the largest.
 */
export function selectedColumns(known: ReadonlySet<string> | undefined, prompts: boolean): string {
  const isThere = (name: string): boolean =>
    (known?.has(name) ?? true) && (prompts || name !== 'prompt');
  return COLUMNS.map((name) => (isThere(name) ? name : `NULL AS ${name}`)).join(', ');
}

const KINDS: readonly TalkTurnKind[] = [
  'opening',
  'turn',
  'summary',
  'closing',
  'said',
  'choice',
  'verdict',
];
const STATUSES: readonly TalkTurnStatus[] = ['pending', 'done', 'skipped', 'failed', 'aborted'];
const TALK_STATUSES: readonly TalkStatus[] = ['running', 'paused', 'stopped', 'failed', 'done'];
const REASONS: readonly FinishReason[] = [
  'stop',
  'length',
  'tool-calls',
  'content-filter',
  'error',
  'unknown',
];

/**
 * Returns the turn of a row.
 *
 * @throws StorageError `corrupt` with the place, if a field is not what was written.
 */
export function toTurn(row: LogRow): TalkTurn {
  const stored = new StoredRow('conversation_log', row.id);
  /** Reads a column that may be empty: rows of the older tool have no value in many. */
  const read = <Field extends keyof LogRow, Value>(
    field: Field,
    as: (name: Field, value: unknown) => Value,
  ): Value | undefined => (row[field] === null ? undefined : as(field, row[field]));
  const text = (field: string, value: unknown): string => stored.text(field, value);
  const whole = (field: string, value: unknown): number => stored.whole(field, value);
  const amount = (field: string, value: unknown): number => stored.amount(field, value);
  const exact = row.exact === null ? {} : exactOf(stored, row.exact);
  const isModerator = Boolean(row.is_moderator);
  const number = whole('turn_number', row.turn_number);
  return {
    id: row.id,
    conversationId: text('conversation_id', row.conversation_id),
    number,
    speaker: read('speaker_name', text) ?? '',
    isModerator,
    kind:
      read('kind', (field, value) => stored.oneOf(field, value, KINDS)) ??
      oldKind(isModerator, number),
    status: read('status', (field, value) => stored.oneOf(field, value, STATUSES)) ?? 'done',
    prompt: row.prompt === null ? '' : (exact['prompt'] ?? text('prompt', row.prompt)),
    text: exact['response'] ?? read('response', text) ?? '',
    attempt: read('attempt', whole) ?? 1,
    startedAt: isoTime(read('timestamp', text)),
    ...defined({
      model: read('model_used', text),
      latencyMs: read('latency_ms', amount),
      inputTokens: read('input_tokens', whole),
      outputTokens: read('output_tokens', whole),
      costUsd: read('cost_usd', amount),
      error: read('error', (field, value) => stored.error(field, value)),
      visibleTo: read('visible_to', (field, value) => stored.texts(field, value)),
      finishReason: read('finish_reason', (field, value) => stored.oneOf(field, value, REASONS)),
    }),
  };
}

function oldKind(isModerator: boolean, number: number): TalkTurnKind {
  if (!isModerator) return 'turn';
  return number === 0 ? 'opening' : 'summary';
}

/** SQLite's own `CURRENT_TIMESTAMP` is UTC without saying so. */
function isoTime(time = ''): string {
  const plain = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d(?:\.\d+)?)$/.exec(time);
  return plain ? `${plain[1]}T${plain[2]}Z` : time;
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
  readonly config_path: string | null;
}

/** A row of `conversation_participant`. */
export interface ParticipantRow extends Row {
  readonly conversation_id: string;
  readonly name: string;
  readonly model: string | null;
  readonly persona: string | null;
}

/** Returns a row of the older tool's table with the columns that this one lacks. */
export function metaRow(row: MetaRow): MetaRow {
  return Object.assign(
    { status: null, limits: null, stop_reason: null, error: null, config_path: null },
    row,
  );
}

/**
 * Returns the talk of a row.
 *
 * @throws StorageError `corrupt` with the place, if a field is not what was written.
 */
export function toConversation(meta: MetaRow, rows: readonly ParticipantRow[]): Conversation {
  const stored = new StoredRow('conversation_meta', meta.conversation_id);
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
    startedAt: isoTime(meta.start_time ?? undefined),
    status: meta.status === null ? 'done' : stored.oneOf('status', meta.status, TALK_STATUSES),
    ...defined({
      moderator,
      endedAt: meta.end_time ?? undefined,
      stopReason: meta.stop_reason ?? undefined,
      error: meta.error ?? undefined,
      configPath: meta.config_path ?? undefined,
    }),
  };
}

/** Returns the same where a damaged talk must not hide the others: it is marked, and counts as failed. */
export function toListedConversation(meta: MetaRow, rows: readonly ParticipantRow[]): Conversation {
  try {
    limitsOf(meta);
    return toConversation(meta, rows);
  } catch (error) {
    const damage = damageOf(error);
    if (!damage) throw error;
    const damaged = `${damage.field}: ${damage.problem}`;
    return { ...toConversation({ ...meta, status: 'failed' }, rows), damaged };
  }
}

/**
 * Returns the limits that a talk was started with.
 *
 * @throws StorageError `corrupt` with the place.
 */
export function limitsOf({ conversation_id: id, limits: json }: MetaRow): TalkLimits {
  if (json === null) return {};
  const stored = new StoredRow('conversation_meta', id);
  const { maxTurns, rounds } = stored.object('limits', json);
  return {
    ...(maxTurns === undefined ? {} : { maxTurns: stored.whole('limits.maxTurns', maxTurns) }),
    ...(rounds === undefined ? {} : { rounds: stored.whole('limits.rounds', rounds) }),
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

/**
 * Returns the texts of the column `exact`, by the column that they belong to.
 *
 * @throws StorageError `corrupt` with the place.
 */
export function exactOf(stored: StoredRow, json: string): Readonly<Record<string, string>> {
  const texts: Record<string, string> = {};
  for (const [column, value] of Object.entries(stored.object('exact', json))) {
    texts[column] = stored.text(`exact.${column}`, value);
  }
  return texts;
}

/** The state of a talk, apart from its turns. */
export interface TalkEnd {
  readonly status: TalkStatus;
  readonly reason?: string | undefined;
  readonly error?: string | undefined;
  readonly at?: string | undefined;
}

export const INSERT_TURN = `INSERT INTO conversation_log (conversation_id, turn_number, speaker_name,
  model_used, prompt, response, is_moderator, timestamp, kind, status, attempt, error, input_tokens,
  output_tokens, latency_ms, cost_usd, visible_to, finish_reason, exact)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`;

/** The row is found unchanged, or another process continues with the talk. */
export const UPDATE_TURN = `UPDATE conversation_log SET model_used = ?, prompt = ?, response = ?,
  timestamp = ?, status = ?, attempt = ?, error = ?, input_tokens = ?, output_tokens = ?,
  latency_ms = ?, cost_usd = ?, visible_to = ?, finish_reason = ?, exact = ? WHERE id = ? AND status = ? AND attempt = ?`;

export function insertParams(turn: Omit<TalkTurn, 'id'>): (string | number | null)[] {
  const { prompt, response, exact } = storedTexts(turn.prompt, turn.text);
  return [
    turn.conversationId,
    turn.number,
    turn.speaker,
    turn.model ?? null,
    prompt,
    response,
    turn.isModerator ? 1 : 0,
    turn.startedAt,
    turn.kind,
    turn.status,
    turn.attempt,
    ...outcomeParams(turn),
    exact,
  ];
}

export function updateParams(before: TalkTurn, after: TalkTurn): (string | number | null)[] {
  const { model = null, startedAt, status, attempt } = after;
  const { prompt, response, exact } = storedTexts(after.prompt, after.text);
  return [
    model,
    prompt,
    response,
    startedAt,
    status,
    attempt,
    ...outcomeParams(after),
    exact,
    before.id,
    before.status,
    before.attempt,
  ];
}

/** Error, tokens, latency, cost, audience and why the answer ended. */
function outcomeParams(turn: Omit<TalkTurn, 'id'>): (string | number | null)[] {
  const { error, inputTokens = null, outputTokens = null, latencyMs = null, costUsd = null } = turn;
  return [
    error ? JSON.stringify(error) : null,
    inputTokens,
    outputTokens,
    latencyMs,
    costUsd,
    turn.visibleTo ? JSON.stringify(turn.visibleTo) : null,
    turn.finishReason ?? null,
  ];
}

/** A talk that is done stays as it ended. */
export function endStatement(
  id: string,
  { status, reason, error, at }: TalkEnd,
  condition: string,
  more: readonly (string | number)[],
): Statement {
  return {
    sql: `UPDATE conversation_meta SET status = ?, stop_reason = COALESCE(?, stop_reason), error = ?,
      end_time = ? WHERE conversation_id = ? AND (status IS NULL OR status <> 'done') ${condition}`,
    params: [
      status,
      reason ? toStorable(reason) : null,
      error ? toStorable(error) : null,
      at ?? null,
      id,
      ...more,
    ],
  };
}

/** Returns the statements that write a new talk. */
export function conversationStatements(
  conversation: Conversation,
  limits: TalkLimits,
): readonly Statement[] {
  const { id, topic, participants, moderator, startedAt, status, configPath } = conversation;
  const [a, b] = participants;
  return [
    {
      sql: `INSERT INTO conversation_meta (conversation_id, topic, participant_a_name,
        participant_a_model, participant_b_name, participant_b_model, moderator_name,
        moderator_model, start_time, status, limits, config_path)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      params: [
        id,
        topic,
        a?.name ?? null,
        a?.model ?? null,
        b?.name ?? null,
        b?.model ?? null,
        moderator?.name ?? null,
        moderator?.model ?? null,
        startedAt,
        status,
        JSON.stringify(limits),
        configPath ?? null,
      ],
    },
    ...participants.map(({ name, model = null, persona = null }, position) => ({
      sql: 'INSERT INTO conversation_participant VALUES (?, ?, ?, ?, ?)',
      params: [id, position, name, model, persona === null ? null : toStorable(persona)],
    })),
  ];
}
