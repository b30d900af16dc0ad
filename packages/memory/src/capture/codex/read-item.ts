import { isJsonObject, defined, type JsonObject, type JsonValue } from '@vizprompt/providers';
import { closeCall, closeOpenCalls, openCall } from '../calls.ts';
import { listAt, objectAt, textAt, unpacked } from '../fields.ts';
import type { OpenCall } from '../reader-state.ts';
import type { Recording } from '../recording.ts';
import type { CodexLine } from './codex-line.ts';
import { CONTEXT_HEAD } from './line-types.ts';
import { plannedPatch } from './plan-patch.ts';
import { readOutput } from './read-output.ts';
import { sayOnce } from './say-once.ts';

/** Reads what the model was given or gave. Returns false for what is not known. */
export function readItem(recording: Recording, read: CodexLine): boolean {
  const { payload } = read;
  switch (payload['type']) {
    case 'message':
      readMessage(recording, read);
      return true;
    case 'reasoning':
      readReasoning(recording, read);
      return true;
    case 'function_call':
      readCall(recording, read, unpacked(payload['arguments']));
      return true;
    case 'custom_tool_call':
      readCall(recording, read, payload['input'] ?? null);
      return true;
    case 'local_shell_call':
      readCall(recording, read, payload['action'] ?? null, 'local_shell');
      return true;
    case 'function_call_output':
    case 'custom_tool_call_output':
      return finish(recording, read, payload['output']);
    case 'web_search_call':
    case 'tool_search_call':
      readSearch(recording, read, payload['type']);
      return true;
    default:
      return false;
  }
}

function readMessage(recording: Recording, read: CodexLine): void {
  const { payload } = read;
  const { counts } = recording;
  const texts: string[] = [];
  for (const block of listAt(payload, 'content').filter(isJsonObject)) {
    const text = textAt(block, 'text');
    if (text !== undefined) texts.push(text);
    else if (textAt(block, 'image_url')?.startsWith('data:') === true) {
      recording.keep(counts.kept, 'image', { type: block['type'] ?? null, image_url: 'data:' });
    } else recording.keep(counts.unknown, `block:${textAt(block, 'type') ?? ''}`, block);
  }
  const content = texts.join('\n\n');
  const role = textAt(payload, 'role');
  // The model goes on only when its calls have returned: what has not by now, is not in the log.
  if (role === 'assistant' || role === 'user') closeOpenCalls(recording);
  if (role === 'assistant') sayOnce(recording, read, 'assistant_message', content, 'item');
  else if (role === 'user' && !CONTEXT_HEAD.test(content)) {
    sayOnce(recording, read, 'user_message', content, 'item');
  } else recording.keep(counts.kept, `message:${role ?? ''}:context`, payload);
}

function readReasoning(recording: Recording, read: CodexLine): void {
  const parts = [...listAt(read.payload, 'summary'), ...listAt(read.payload, 'content')]
    .filter(isJsonObject)
    .map((part) => textAt(part, 'text') ?? '')
    .filter((text) => text.trim() !== '');
  if (parts.length === 0) recording.counts.emptyThoughts += 1;
  for (const [index, text] of parts.entries()) {
    sayOnce(recording, read, 'thinking', text, 'item', index);
  }
}

function readCall(recording: Recording, read: CodexLine, input: JsonValue, name?: string): void {
  const { payload, timestamp } = read;
  const { state } = recording;
  const id = textAt(payload, 'call_id', 'id') ?? read.key;
  const tool = name ?? textAt(payload, 'name') ?? 'unknown';
  const workdir = isJsonObject(input) ? textAt(input, 'workdir', 'working_directory') : undefined;
  const cwd = workdir ?? noted(state.notes['cwd']);
  const call: OpenCall = {
    id,
    tool,
    input,
    meta: { ...defined({ model: noted(state.notes['model']) }), tool_use_id: id, tool },
    ...defined({ cwd, timestamp, parent: noted(state.notes['last']) }),
  };
  openCall(recording, call, plannedPatch(tool, input), state.reasons.get('') ?? '');
}

function finish(
  recording: Recording,
  { payload, timestamp }: CodexLine,
  output: JsonValue | undefined,
): boolean {
  const call = recording.state.calls.get(textAt(payload, 'call_id') ?? '');
  if (!call) {
    // The event at the end of a patch has told most of it.
    recording.keep(recording.counts.kept, 'output of a patch', payload);
    return true;
  }
  const { result, success, durationMs } = readOutput(output);
  const changes = plannedPatch(call.tool, call.input);
  const error = typeof result === 'string' ? result : JSON.stringify(result);
  closeCall(recording, call, {
    success,
    error,
    result,
    changes,
    ...defined({ timestamp, durationMs }),
  });
  return true;
}

function readSearch(
  recording: Recording,
  { payload, key, timestamp }: CodexLine,
  tool: string,
): void {
  const parameters: JsonObject = objectAt(payload, 'action');
  recording.add({
    type: 'tool_use',
    key: `${key}#0`,
    data: { tool, parameters: Object.keys(parameters).length > 0 ? parameters : payload },
    meta: {},
    ...defined({ timestamp, parent: noted(recording.state.notes['last']) }),
  });
}

function noted(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
