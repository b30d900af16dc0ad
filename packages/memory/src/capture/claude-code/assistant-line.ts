import { defined, type JsonObject } from '@vizprompt/providers';
import { openCall } from '../calls.ts';
import { textAt } from '../fields.ts';
import type { OpenCall } from '../reader-state.ts';
import type { Recording } from '../recording.ts';
import { blocksOf, describedMedia, isMedia } from './content.ts';
import type { MessageLine } from './message-line.ts';
import { plannedChanges } from './plan-changes.ts';
import { addedUsage } from './usage.ts';

/**
 * Reads a line of the assistant: texts and thoughts become events, calls wait for their results, and
 * those that change files announce it.
 *
 * @returns The key of the last event, or of the one before the line if it brought none.
 */
export function readAssistant(recording: Recording, read: MessageLine): string | undefined {
  const { line, message, speaker } = read;
  let usage = addedUsage(recording.state, line);
  let parent = read.parent;
  const model = textAt(message, 'model');
  const isError = line['isApiErrorMessage'] === true ? true : undefined;
  const shared = defined({
    ...read.meta,
    model: model === '<synthetic>' ? undefined : model,
    message_id: textAt(message, 'id'),
    request_id: textAt(line, 'requestId'),
    is_api_error: isError,
  });
  const takeMeta = (): JsonObject => {
    const meta = usage ? { ...shared, usage } : shared;
    usage = undefined;
    return meta;
  };
  for (const [index, block] of blocksOf(message).entries()) {
    const key = `${read.key}#${index}`;
    const facts = defined({ timestamp: read.timestamp, parent });
    switch (block['type']) {
      case 'text': {
        const content = textAt(block, 'text') ?? '';
        if (content.trim() === '') break;
        recording.state.reasons.set(speaker, content);
        recording.add({
          type: 'assistant_message',
          key,
          data: { content },
          meta: takeMeta(),
          ...facts,
        });
        parent = key;
        break;
      }
      case 'thinking':
      case 'redacted_thinking': {
        const content = textAt(block, 'thinking') ?? '';
        if (content.trim() === '') {
          recording.counts.emptyThoughts += 1;
          break;
        }
        recording.state.reasons.set(speaker, content);
        recording.add({ type: 'thinking', key, data: { content }, meta: takeMeta(), ...facts });
        parent = key;
        break;
      }
      case 'tool_use':
      case 'server_tool_use':
        parent = readCall(recording, read, block, parent, takeMeta()) ?? parent;
        break;
      default: {
        const kept = isMedia(block) ? describedMedia(block) : block;
        recording.keep(recording.counts.unknown, `block:${textAt(block, 'type') ?? ''}`, kept);
      }
    }
  }
  return parent;
}

function readCall(
  recording: Recording,
  { line, speaker, timestamp }: MessageLine,
  block: JsonObject,
  parent: string | undefined,
  meta: JsonObject,
): string | undefined {
  const { state } = recording;
  const id = textAt(block, 'id') ?? '';
  const tool = textAt(block, 'name') ?? 'unknown';
  const input = block['input'] ?? null;
  const cwd = textAt(line, 'cwd') ?? state.session?.workspacePath;
  const call: OpenCall = {
    id,
    tool,
    input,
    meta: { ...meta, tool_use_id: id, tool },
    ...defined({ cwd, timestamp, parent }),
  };
  return openCall(recording, call, plannedChanges(tool, input), state.reasons.get(speaker) ?? '');
}
