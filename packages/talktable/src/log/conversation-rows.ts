import { defined, toStorable, type Row, type Statement } from '@vizprompt/providers';
import type { Conversation, ConversationSpeaker, TalkLimits, TalkStatus } from './conversation.ts';
import { isoTime } from './log-rows.ts';

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

/** The statements that write a new talk. */
export function conversationStatements(
  conversation: Conversation,
  limits: TalkLimits,
): readonly Statement[] {
  const { id, topic, participants, moderator, startedAt, status } = conversation;
  const [a, b] = participants;
  return [
    {
      sql: `INSERT INTO conversation_meta (conversation_id, topic, participant_a_name,
        participant_a_model, participant_b_name, participant_b_model, moderator_name,
        moderator_model, start_time, status, limits) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
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
      ],
    },
    ...participants.map(({ name, model = null, persona = null }, position) => ({
      sql: 'INSERT INTO conversation_participant VALUES (?, ?, ?, ?, ?)',
      params: [id, position, name, model, persona === null ? null : toStorable(persona)],
    })),
  ];
}
