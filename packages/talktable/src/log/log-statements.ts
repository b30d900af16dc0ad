import { type Statement } from '@vizprompt/providers';
import { toStorable } from '@vizprompt/providers/internal';
import type { Conversation, TalkLimits, TalkStatus, TalkTurn } from './conversation.ts';
import { storedTexts } from './log-rows.ts';

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
