import { VizPromptError } from '../errors.ts';
import { isTimestamp } from '../project/time.ts';
import type { NodePart, NodeStatus, VizNode } from './node.ts';

/** The states that a node can be in. */
export const NODE_STATUSES: readonly NodeStatus[] = ['pending', 'done', 'failed', 'aborted'];

/**
 * Refuses a node that its file could not say.
 *
 * @throws VizPromptError with the code `invalid-input` that names the field.
 */
export function checkNode(node: VizNode): VizNode {
  const { status, stats, tags, prompt, response, timestamp } = node;
  if (!isTimestamp(timestamp)) {
    fail('timestamp', timestamp, 'is no time of ISO 8601, such as 2026-11-21T22:43:07+09:00');
  }
  if (status !== undefined && !NODE_STATUSES.includes(status)) {
    fail('status', status, `is none of ${NODE_STATUSES.join(', ')}`);
  }
  for (const [role, values] of Object.entries(stats)) {
    for (const [name, value] of Object.entries(values ?? {})) {
      if (Number.isFinite(value) && value >= 0) continue;
      fail(`stats.${role}.${name}`, value, 'is no number from 0 on');
    }
  }
  for (const tag of tags) if (tag === '') fail('tags', tag, 'is empty');
  checkRanges('promptParts', node.promptParts, prompt);
  checkRanges('responseParts', node.responseParts, response);
  return node;
}

function checkRanges(field: string, parts: readonly NodePart[], text: string): void {
  for (const part of parts) {
    if (part.type !== 'text') continue;
    const { start, end } = part;
    if (start >= 0 && start <= end && end <= text.length) continue;
    fail(field, `${start} to ${end}`, `is not within the text of ${text.length} characters`);
  }
}

function fail(field: string, value: unknown, problem: string): never {
  throw new VizPromptError('invalid-input', `${field}: '${String(value)}' ${problem}`, {
    context: { field },
  });
}
