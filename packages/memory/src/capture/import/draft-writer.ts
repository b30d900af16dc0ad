import { MemoryError } from '../../errors.ts';
import type { NewEvent } from '../../model/memory-event.ts';
import type { EventDraft } from '../draft.ts';
import type { DraftChooser } from './draft-chooser.ts';
import type { TranscriptStore } from './import-options.ts';
import { eventOf, REFUSALS } from './prepare-drafts.ts';
import { runsOf } from './runs-of.ts';

/** Writes drafts into a store, in their order: each of them once, whoever brings it. */
export async function writeDrafts(
  store: TranscriptStore,
  chooser: DraftChooser,
  drafts: readonly EventDraft[],
): Promise<void> {
  for (const run of runsOf(drafts)) {
    const { session } = run;
    const { id } = await chooser.start(session);
    const chosen = await chooser.choose(session, run.drafts);
    const events = chosen.flatMap((each) => {
      const draft = run.drafts[each.index];
      return draft ? [eventOf(draft, each)] : [];
    });
    await log(store, id, events);
  }
}

async function log(
  store: TranscriptStore,
  session: string,
  events: readonly NewEvent[],
): Promise<void> {
  try {
    await store.logMany(session, events, { duplicates: 'skip', intoEnded: true });
  } catch (error) {
    if (!MemoryError.isInstance(error) || !REFUSALS.has(error.code)) throw error;
    if (events.length <= 1) return;
    // One of them is refused: the others go in all the same, in their order.
    const middle = Math.ceil(events.length / 2);
    await log(store, session, events.slice(0, middle));
    await log(store, session, events.slice(middle));
  }
}
