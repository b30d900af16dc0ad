import { LruMap } from '@vizprompt/providers/internal';
import type { EventOf, MemoryEvent } from '../../model/memory-event.ts';
import { block, eventHtml } from './event-html.ts';

/** How many intentions are remembered until their edits come. */
const REMEMBERED = 1000;

/** Where and why an edit was intended. */
interface Reason {
  readonly anchor: string;
  readonly sequence: number;
  readonly text: string;
}

/**
 * The events of a session as elements, one after the other. An intention stands beside the edit that
 * follows it; an edit that comes later has its reason beside it, with the way to the intention.
 */
export async function* timelineHtml(
  events: AsyncIterable<MemoryEvent>,
  { prefix, workspace }: { readonly prefix: string; readonly workspace: string },
): AsyncGenerator<string> {
  const reasons = new LruMap<string, Reason>(REMEMBERED);
  const anchorOf = ({ sequence }: MemoryEvent): string => `${prefix}e${sequence}`;
  const html = (event: MemoryEvent): string => {
    return eventHtml(event, { anchor: anchorOf(event), workspace });
  };
  let waiting: EventOf<'code_intention'> | undefined;
  for await (const event of events) {
    if (waiting && event.type === 'file_edit' && intentionOf(event) === waiting.id) {
      yield `<div class="change">${html(waiting)}${html(event)}</div>\n`;
      waiting = undefined;
      continue;
    }
    if (waiting) yield remember(waiting);
    waiting = undefined;
    if (event.type === 'code_intention') waiting = event;
    else if (event.type === 'file_edit') yield editWithReason(event);
    else yield html(event);
  }
  if (waiting) yield remember(waiting);

  function remember(intention: EventOf<'code_intention'>): string {
    const { id, sequence, data } = intention;
    reasons.set(id, { anchor: anchorOf(intention), sequence, text: data.reason.slice(0, 2000) });
    return html(intention);
  }

  function editWithReason(edit: EventOf<'file_edit'>): string {
    const reason = reasons.get(intentionOf(edit) ?? '');
    if (!reason) return html(edit);
    const link = `<p class="facts"><a href="#${reason.anchor}">Intention ${reason.sequence}</a></p>`;
    return `<div class="change"><div>${link}${block(reason.text.toWellFormed())}</div>${html(edit)}</div>\n`;
  }
}

function intentionOf({ data, parent_event_id: parent }: EventOf<'file_edit'>): string | undefined {
  return data.intention_event_id ?? parent;
}
