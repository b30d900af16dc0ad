import { defined, type JsonObject } from '@vizprompt/providers';
import { textAt } from '../fields.ts';
import { promptHash, promptKey } from '../keys.ts';
import type { Recording } from '../recording.ts';
import { blocksOf, describedMedia, isMedia, resultContent } from './content.ts';
import { finishCall } from './finish-call.ts';
import type { MessageLine } from './message-line.ts';

/**
 * Reads a line of the user: what was said, and the results of tools.
 *
 * @returns The key of the last event, or of the one before the line if it brought none.
 */
export function readUser(recording: Recording, read: MessageLine): string | undefined {
  const { line, message } = read;
  let parent = read.parent;
  const texts: string[] = [];
  const media: JsonObject[] = [];
  for (const block of blocksOf(message)) {
    if (block['type'] === 'text') texts.push(textAt(block, 'text') ?? '');
    else if (block['type'] === 'tool_result') parent = readResult(recording, read, block) ?? parent;
    else if (isMedia(block)) media.push(describedMedia(block));
    else recording.keep(recording.counts.unknown, `block:${textAt(block, 'type') ?? ''}`, block);
  }
  const content = texts.join('\n\n');
  if (content.trim() === '' && media.length === 0) return parent;
  // What the program itself says in the user's place, such as the output of a local command.
  if (line['isMeta'] === true) {
    recording.keep(recording.counts.kept, 'user:meta', line);
    return parent;
  }
  return addMessage(recording, { ...read, parent }, content, media);
}

function addMessage(
  recording: Recording,
  read: MessageLine,
  content: string,
  media: readonly JsonObject[],
): string {
  const { line, speaker } = read;
  const { state } = recording;
  const key = `${read.key}#0`;
  const facts = defined({ timestamp: read.timestamp, parent: read.parent });
  const meta = media.length === 0 ? read.meta : { ...read.meta, attachments: media };
  if (line['isCompactSummary'] === true) {
    // The model wrote it, although it stands in the user's place.
    const summary = { ...meta, is_compact_summary: true };
    recording.add({ type: 'assistant_message', key, data: { content }, meta: summary, ...facts });
    return key;
  }
  state.reasons.set(speaker, content);
  const session = state.session?.sourceId ?? '';
  const hash = promptHash(content);
  const isPrompt = speaker === '';
  const times = state.prompts[hash] ?? 0;
  if (isPrompt) state.prompts[hash] = times + 1;
  recording.add({
    type: 'user_message',
    key,
    data: { content },
    meta,
    ...facts,
    ...(isPrompt ? { alias: promptKey(session, hash, times) } : {}),
  });
  return key;
}

function readResult(
  recording: Recording,
  { line, timestamp }: MessageLine,
  block: JsonObject,
): string | undefined {
  const id = textAt(block, 'tool_use_id') ?? '';
  const call = recording.state.calls.get(id);
  const details = line['toolUseResult'];
  if (!call) {
    recording.keep(recording.counts.unknown, 'result without a call', {
      ...block,
      details: details ?? null,
    });
    return undefined;
  }
  return finishCall(recording, call, {
    isError: block['is_error'] === true,
    details,
    content: resultContent(block),
    ...defined({ timestamp }),
  });
}
