import { listAt, objectAt, objectOf, stringOf, textAt } from '../../json/fields.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value.ts';
import { omitUndefined } from '../../json/omit-undefined.ts';
import type { TranscriptBlock, TranscriptPart } from '../model/entry.ts';
import { timeAt, unpacked } from '../model/read-fields.ts';
import { aside, type EntryDraft } from '../model/read-line.ts';
import type { TranscriptState } from '../model/state.ts';
import { CONTEXT_HEAD } from './line-types.ts';
import { readOutput } from './read-output.ts';
import { speak, type CodexLine } from './speak.ts';

/** Reads what the model was given or gave. */
export function readItem(read: CodexLine, state: TranscriptState): readonly EntryDraft[] {
  const { payload, line } = read;
  const type = textAt(payload, 'type') ?? 'without a type';
  switch (type) {
    case 'message':
      return [readMessage(read, state)];
    case 'reasoning':
      return readReasoning(read, state);
    case 'function_call':
      return [readCall(read, state, unpacked(payload['arguments']))];
    case 'custom_tool_call':
      return [readCall(read, state, payload['input'] ?? null)];
    case 'local_shell_call':
      return [readCall(read, state, payload['action'] ?? null, 'local_shell')];
    case 'function_call_output':
    case 'custom_tool_call_output':
      return [readResult(read, type)];
    case 'web_search_call':
    case 'tool_search_call':
      return [readSearch(read, state, type)];
    default:
      return [aside('unknown', `response_item:${type}`, line)];
  }
}

function readMessage(read: CodexLine, state: TranscriptState): EntryDraft {
  const { payload, line, key } = read;
  const texts: TranscriptPart[] = [];
  const blocks: TranscriptBlock[] = [];
  for (const block of listAt(payload, 'content').filter(isJsonObject)) {
    const text = textAt(block, 'text');
    if (text === undefined) blocks.push(readBlock(block));
    else texts.push({ type: 'text', key: `${key}#0`, text, raw: block });
  }
  const content = texts.map((part) => (part.type === 'text' ? part.text : '')).join('\n\n');
  const role = textAt(payload, 'role');
  const isSpoken = role === 'assistant' || (role === 'user' && !CONTEXT_HEAD.test(content));
  // The model continues only when its calls have returned.
  const settlesCalls = role === 'assistant' || role === 'user' ? true : undefined;
  const entry = isSpoken
    ? speak(read, state, {
        type: 'message',
        speech: role === 'user' ? 'user_message' : 'assistant_message',
        side: 'item',
        content,
        parts: texts,
      })
    : { ...aside('note', `message:${role ?? ''}:context`, payload), parts: texts };
  return { ...entry, parts: [...blocks, ...entry.parts], ...omitUndefined({ settlesCalls }) };
}

function readBlock(block: JsonObject): TranscriptBlock {
  const isImage = textAt(block, 'image_url')?.startsWith('data:') === true;
  if (isImage) return { type: 'other', name: 'image', kind: 'note', raw: block };
  return { type: 'other', name: textAt(block, 'type') ?? '', kind: 'unknown', raw: block };
}

function readReasoning(read: CodexLine, state: TranscriptState): readonly EntryDraft[] {
  const { payload, line, key } = read;
  const thoughts = [...listAt(payload, 'summary'), ...listAt(payload, 'content')]
    .filter(isJsonObject)
    .filter((raw) => (textAt(raw, 'text') ?? '').trim() !== '');
  if (thoughts.length === 0) {
    const part = { type: 'thinking', key: `${key}#0`, text: '', raw: payload } as const;
    return [{ kind: 'message', type: 'reasoning', role: 'assistant', parts: [part], raw: line }];
  }
  return thoughts.map((raw, index) => {
    const content = textAt(raw, 'text') ?? '';
    const part = { type: 'thinking', key: `${key}#${index}`, text: content, raw } as const;
    const said = { type: 'reasoning', speech: 'thinking', side: 'item', content } as const;
    return speak(read, state, { ...said, parts: [part], index });
  });
}

function readCall(
  { payload, line, key }: CodexLine,
  { notes }: TranscriptState,
  input: JsonValue,
  name?: string,
): EntryDraft {
  const workdir = textAt(objectOf(input), 'workdir', 'working_directory');
  const part = {
    type: 'tool-call',
    id: textAt(payload, 'call_id', 'id') ?? key,
    tool: name ?? textAt(payload, 'name') ?? 'unknown',
    input,
    ...omitUndefined({ cwd: workdir ?? stringOf(notes['cwd']) }),
    raw: payload,
  } as const;
  return {
    kind: 'message',
    type: textAt(payload, 'type') ?? '',
    role: 'assistant',
    parts: [part],
    ...omitUndefined({
      time: timeAt(line, 'timestamp'),
      model: stringOf(notes['model']),
      parent: stringOf(notes['last']),
    }),
    raw: line,
  };
}

function readResult({ payload, line }: CodexLine, type: string): EntryDraft {
  const id = textAt(payload, 'call_id') ?? '';
  const output = readOutput(payload['output']);
  return {
    kind: 'message',
    type,
    role: 'tool',
    parts: [{ type: 'tool-result', id, ...output, raw: payload }],
    ...omitUndefined({ time: timeAt(line, 'timestamp') }),
    raw: line,
  };
}

function readSearch(
  { payload, line, key }: CodexLine,
  { notes }: TranscriptState,
  tool: string,
): EntryDraft {
  const action = objectAt(payload, 'action');
  const part = {
    type: 'tool-call',
    id: textAt(payload, 'id') ?? key,
    key: `${key}#0`,
    tool,
    input: Object.keys(action).length > 0 ? action : payload,
    raw: payload,
  } as const;
  return {
    kind: 'message',
    type: tool,
    role: 'assistant',
    parts: [part],
    ...omitUndefined({ time: timeAt(line, 'timestamp'), parent: stringOf(notes['last']) }),
    raw: line,
  };
}
