/** @import { Snippet } from '../wire/types.js' */

import { element, visible } from '../dom.js';

/**
 * Returns a piece of text in which what was found is marked. Offsets count UTF-16 units, as JavaScript does.
 *
 * @param {Snippet} snippet
 */
export function highlighted({ text, highlights }) {
  const line = element('p', { class: 'snippet' });
  let at = 0;
  for (const [start, end] of highlights) {
    line.append(...visible(text.slice(at, start)), element('mark', {}, text.slice(start, end)));
    at = end;
  }
  line.append(...visible(text.slice(at)));
  return line;
}
