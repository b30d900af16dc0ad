/** @import { MemoryEvent } from '../wire/types.js' */

import { element, time } from '../dom.js';
import { strings } from '../strings.js';
import { eventBody } from './event-body.js';

/**
 * Returns an event in the timeline: its number, its time, and what it says.
 *
 * @param {MemoryEvent} event
 */
export function eventCard(event) {
  const { session_id, sequence, timestamp, type, data } = event;
  const address = `#/sessions/${encodeURIComponent(session_id)}?event=${sequence}`;
  const why = data.intention_event_id;
  return element(
    'li',
    {
      id: `event-${sequence}`,
      class: `event ${type}`,
      tabindex: -1,
      'data-type': type,
      'data-id': event.id,
      'data-path': data.file_path ?? '',
    },
    element(
      'p',
      { class: 'facts' },
      element('a', { href: address }, `${sequence}`),
      ` ${strings[type] ?? type} `,
      time(timestamp),
      ...(why === undefined ? [] : [' ', toIntention(why)]),
    ),
    eventBody(event),
  );
}

/** An edit says which intention it carried out: this leads to its card. @param {string} id */
function toIntention(id) {
  const click = () => {
    const card = [...document.querySelectorAll('.event')].find(
      (one) => one.getAttribute('data-id') === id,
    );
    if (card instanceof HTMLElement) card.focus();
  };
  return element('button', { type: 'button', class: 'link', click }, strings.toIntention);
}
