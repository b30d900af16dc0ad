/** @import { WireNode } from '../wire/types.js' */

import { element, time } from '../dom.js';
import { strings } from '../strings.js';

/**
 * Returns a node to be read.
 *
 * @param {WireNode} node
 * @param {{ isHead: boolean }} facts
 */
export function nodeText(node, { isHead }) {
  const { status = 'done', tags, model, stats, summary } = node;
  const { assistant } = stats;
  const facts = [
    ...(isHead ? [strings.head] : []),
    ...(status === 'done' ? [] : [status]),
    ...(model === undefined ? [] : [model]),
    ...(assistant ? [`${assistant.count} tokens, ${assistant.duration.toFixed(1)} s`] : []),
  ];
  return element(
    'article',
    { class: 'node', 'data-id': node.id },
    element('p', { class: 'facts' }, time(node.timestamp), ...facts.map((fact) => ` · ${fact}`)),
    element('p', { class: 'tags' }, ...tags.map((tag) => element('span', {}, `#${tag}`))),
    ...(summary.text === '' ? [] : [element('p', { class: 'summary' }, summary.text)]),
    element('h3', {}, strings.prompt),
    element('div', { class: 'said' }, node.prompt),
    element('h3', {}, strings.response),
    element('div', { class: 'said response' }, node.response),
  );
}
