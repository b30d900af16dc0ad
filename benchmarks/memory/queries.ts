import type { SearchFilter } from '@vizprompt/memory';
import {
  fileOf,
  seededRandom,
  sessionEvents,
  SESSION_EVENTS,
  wordOf,
  WORDS,
  workspaceOf,
} from './make-events.ts';

/** The kinds of queries, a quarter of all each. */
export const KINDS = ['rare', 'common', 'sentence', 'filtered'] as const;

/** A query of the mix. */
export interface MixQuery extends SearchFilter {
  readonly kind: (typeof KINDS)[number];
  readonly text: string;
}

/** A fixed mix of queries for the events of so many sessions; another one for each seed. */
export function queryMix(sessions: number, count: number, seed = 20_260_101): readonly MixQuery[] {
  const random = seededRandom(seed);
  return Array.from({ length: count }, (_, place): MixQuery => {
    const kind = KINDS[place % KINDS.length] ?? 'rare';
    const session = Math.floor(random() * sessions);
    switch (kind) {
      case 'rare':
        return { kind, text: wordOf(WORDS / 2 + Math.floor((random() * WORDS) / 2)) };
      case 'common':
        return { kind, text: wordOf(Math.floor(random() * 200)) };
      case 'sentence':
        return { kind, text: somethingSaid(session, random) };
      default: {
        const workspace = workspaceOf(session);
        const text = `${wordOf(Math.floor(random() * 2000))} ${wordOf(Math.floor(random() * 200))}`;
        const path = random() < 0.5 ? { path: fileOf(workspace, random) } : {};
        return { kind, text, workspace, ...path };
      }
    }
  });
}

/** Eight words in a row that were said in a session. */
function somethingSaid(session: number, random: () => number): string {
  const said = sessionEvents(session, SESSION_EVENTS)
    .map(({ data }) => ('content' in data ? data.content.split(' ') : []))
    .filter((words) => words.length >= 8);
  const words = said[Math.floor(random() * said.length)] ?? [];
  const from = Math.floor(random() * (words.length - 7));
  return words.slice(from, from + 8).join(' ');
}
