import { readFileSync } from 'node:fs';
import type { NewEvent } from '@vizprompt/memory';
import { MemoryStore } from '@vizprompt/memory';
import { round, type Figures } from '../figures.ts';

/** A conversation of LoCoMo, as `locomo-dev.json` has it. */
interface Conversation {
  readonly id: string;
  readonly speakers: readonly string[];
  readonly sessions: readonly {
    readonly index: number;
    readonly date: string;
    readonly turns: readonly {
      readonly id: string;
      readonly speaker: string;
      readonly text: string;
    }[];
  }[];
  readonly questions: readonly {
    readonly question: string;
    readonly category: number;
    readonly evidence: readonly string[];
  }[];
}

/** What was found for one question: the fraction of what should be. */
interface Outcome {
  readonly conversation: number;
  readonly session5: number;
  readonly session10: number;
  readonly reciprocal: number;
  readonly turn10: number;
}

/** Conversations that most weights of the ranking were tuned on; the others are reported for themselves. */
const TUNED_ON = 2;

/**
 * How much of what answers a question is found, without any model: each conversation is a workspace, each
 * session a session, each turn an event. All categories of questions count.
 *
 * Source: Maharana et al., Evaluating very long-term conversational memory of LLM agents (ACL 2024).
 */
export async function benchLocomo(file: string, path: string): Promise<Figures> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the file that the caller names
  const conversations = JSON.parse(readFileSync(file, 'utf8')) as readonly Conversation[];
  await using store = await MemoryStore.open({ path, redact: false });
  const outcomes: Outcome[] = [];
  for (const [place, conversation] of conversations.entries()) {
    const workspace = `/locomo/${conversation.id}`;
    await record(store, workspace, conversation);
    outcomes.push(...(await ask(store, workspace, conversation, place)));
  }
  const tuned = outcomes.filter(({ conversation }) => conversation < TUNED_ON);
  const others = outcomes.filter(({ conversation }) => conversation >= TUNED_ON);
  return { ...means(outcomes, ''), ...means(tuned, '_tuned'), ...means(others, '_held_out') };
}

async function record(
  store: MemoryStore,
  workspace: string,
  { id, sessions, speakers }: Conversation,
): Promise<void> {
  for (const { index, date, turns } of sessions) {
    const started = Date.parse(`${toDate(date)} UTC`);
    const session = await store.startSession({
      id: `${id}:${index}`,
      workspace,
      startedAt: new Date(started).toISOString(),
    });
    const events = turns.map((turn, place): NewEvent => {
      const type = turn.speaker === speakers[0] ? 'user_message' : 'assistant_message';
      const timestamp = new Date(started + place * 1000).toISOString();
      const meta = { speaker: turn.speaker };
      return { type, id: `${id}:${turn.id}`, timestamp, data: { content: turn.text }, meta };
    });
    await store.logMany(session.id, events);
  }
}

/** `1:56 pm on 8 May, 2023` as what `Date.parse` reads. */
function toDate(date: string): string {
  const [time = '', day = ''] = date.split(' on ');
  return `${day.replace(',', '')} ${time}`;
}

async function ask(
  store: MemoryStore,
  workspace: string,
  { id, sessions, questions }: Conversation,
  place: number,
): Promise<Outcome[]> {
  const sessionOf = new Map(
    sessions.flatMap(({ index, turns }) => turns.map((turn) => [turn.id, `${id}:${index}`])),
  );
  const outcomes: Outcome[] = [];
  for (const { question, evidence } of questions) {
    // Some name several turns in one text, and a few none that there is.
    const gold = evidence
      .flatMap((ids) => ids.split(/[;,\s]+/))
      .filter((turn) => sessionOf.has(turn));
    if (gold.length === 0) continue;
    const goldSessions = [...new Set(gold.map((turn) => sessionOf.get(turn) ?? ''))];
    const turns = await store.search(question, { workspace, k: 10, around: true });
    const found = await store.searchSessions(question, { workspace, k: 1000 });
    const order = found.map(({ session }) => session.id);
    const first = order.findIndex((session) => goldSessions.includes(session));
    outcomes.push({
      conversation: place,
      session5: fraction(goldSessions, order.slice(0, 5)),
      session10: fraction(goldSessions, order.slice(0, 10)),
      reciprocal: first === -1 ? 0 : 1 / (first + 1),
      turn10: fraction(
        gold.map((turn) => `${id}:${turn}`),
        turns.map(({ event }) => event.id),
      ),
    });
  }
  return outcomes;
}

function fraction(gold: readonly string[], found: readonly string[]): number {
  return gold.filter((one) => found.includes(one)).length / gold.length;
}

function means(outcomes: readonly Outcome[], suffix: string): Figures {
  const mean = (of: (outcome: Outcome) => number): number =>
    round(outcomes.reduce((sum, outcome) => sum + of(outcome), 0) / outcomes.length);
  return {
    [`session_recall_at_5${suffix}`]: mean(({ session5 }) => session5),
    [`session_recall_at_10${suffix}`]: mean(({ session10 }) => session10),
    [`session_mrr${suffix}`]: mean(({ reciprocal }) => reciprocal),
    [`turn_recall_at_10${suffix}`]: mean(({ turn10 }) => turn10),
    [`questions${suffix}`]: outcomes.length,
  };
}
