/** @import { EventData, EventType, MemoryEvent } from '../wire/types.js' */

import { element } from '../dom.js';
import { strings } from '../strings.js';
import { diffView } from './diff-view.js';

/** @type {Record<EventType, (data: EventData) => Node>} */
const BODIES = {
  user_message: said,
  assistant_message: said,
  thinking: ({ content = '', context }) => {
    const about = context === undefined ? '' : `: ${context}`;
    return folded(`💭 ${strings.thinking}${about}`, element('div', { class: 'said' }, content));
  },
  code_intention: ({ file_path = '', action = '', reason = '', diff = '' }) => {
    const plan = diff === '' ? [] : [folded(`${action} ${file_path}`, diffView(diff).view)];
    return element('div', {}, element('div', { class: 'said' }, `💡 ${reason}`), ...plan);
  },
  file_edit: edited,
  tool_use: ({ tool = '', parameters, result, duration_ms, success = true }) => {
    const took = duration_ms === undefined ? '' : ` ${duration_ms} ms`;
    const log = [parameters, result].filter((part) => part !== undefined).map(asText);
    const mark = success ? '🔧' : '✗';
    return folded(`${mark} ${tool}${took}`, element('pre', { tabindex: 0 }, log.join('\n\n')));
  },
  forgotten: () => element('em', {}, strings.forgotten),
};

/**
 * Shows an event, by its type.
 *
 * @param {MemoryEvent} event
 */
export function eventBody({ type, data }) {
  // A type of a newer version of the memory is shown as it is.
  const body = Object.hasOwn(BODIES, type) ? BODIES[type] : undefined;
  return body ? body(data) : element('pre', {}, asText(data));
}

/** @param {EventData} data */
function said({ content = '' }) {
  return element('div', { class: 'said' }, content);
}

/** @param {EventData} data */
function edited({ file_path = '', action = '', diff = '', success = true, error_message = '' }) {
  const { view, added, removed } = diffView(diff);
  const mark = success ? '✏️' : '✗';
  const title = `${mark} ${action} ${file_path} (+${added} −${removed})`;
  const trouble = success ? [] : [element('p', { class: 'error' }, error_message)];
  return element(
    'details',
    { open: true },
    element('summary', {}, title),
    ...trouble,
    ...(diff === '' ? [] : [view]),
  );
}

/**
 * @param {string} title
 * @param {Node} content
 */
function folded(title, content) {
  return element('details', {}, element('summary', {}, title), content);
}

/** @param {unknown} value */
function asText(value) {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}
