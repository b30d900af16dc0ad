import type { EventDraft, SessionDraft } from '../draft.ts';

/** Drafts that follow each other in one session. */
export interface Run {
  readonly session: SessionDraft;
  readonly drafts: readonly EventDraft[];
}

/** The drafts, cut where the session changes. */
export function runsOf(drafts: readonly EventDraft[]): readonly Run[] {
  const runs: { session: SessionDraft; drafts: EventDraft[] }[] = [];
  for (const draft of drafts) {
    const last = runs.at(-1);
    if (last?.session === draft.session) last.drafts.push(draft);
    else runs.push({ session: draft.session, drafts: [draft] });
  }
  return runs;
}
