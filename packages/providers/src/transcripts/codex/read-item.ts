import { listAt, objectAt, objectOf, stringOf, textAt } from '../../json/fields.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value.ts';
import type { TranscriptBlock, TranscriptText } from '../model/entry.ts';
import { unpacked } from '../model/read-fields.ts';
import type { EntryDraft } from '../model/read-line.ts';
import type { TranscriptState } from '../model/state.ts';
import { messageInText, readAgentMessage } from './agent-message.ts';
import { CONTEXT_HEAD } from './line-types.ts';
import { callKey, doneKey } from './read-completed.ts';
import { readOutput } from './read-output.ts';
import { contextOf, speak, type CodexLine } from './speak.ts';

/** Reads what the model was given or gave. */
export function readItem(read: CodexLine, state: TranscriptState): readonly EntryDraft[] {
  const { payload, key } = read;
  const type = textAt(payload, 'type') ?? 'without a type';
  switch (type) {
    case 'message':
      return readMessage(read, state);
    case 'additional_tools':
    case 'compaction':
    case 'compaction_summary':
    case 'context_compaction':
    case 'ghost_snapshot':
    case 'tool_search_output':
      return [{ kind: 'note', type }];
    case 'agent_message':
      return [readAgentMessage(read, type)];
    case 'reasoning':
      return readReasoning(read, state);
    case 'function_call':
      return [readCall(read, state, unpacked(payload['arguments']))];
    case 'custom_tool_call':
      return [readCall(read, state, payload['input'] ?? null)];
    case 'local_shell_call':
      return [readCall(read, state, payload['action'] ?? null, 'local_shell')];
    case 'function_call_output':
    case 'custom_tool_call_output': {
      const id = textAt(payload, 'call_id') ?? '';
      // The whole output of the command was read before; the model received only its beginning.
      if (state.seen.has(doneKey(id))) return [{ kind: 'passing', type }];
      state.seen.set(doneKey(id), true);
      const part = { type: 'tool-result', id, ...readOutput(payload['output']) } as const;
      return [{ kind: 'message', type, role: 'tool', parts: [{ ...part, raw: payload }] }];
    }
    case 'image_generation_call':
    case 'web_search_call':
    case 'tool_search_call': {
      const action = objectAt(payload, 'action');
      // The result is a picture in base64, and in a file besides.
      const { result: _result, ...fields } = payload;
      const input = Object.keys(action).length > 0 ? action : fields;
      const id = `${key}#0`;
      const part = { type: 'tool-call', id, key: id, tool: type, input, raw: payload } as const;
      return [{ kind: 'message', type, parent: contextOf(state).parent, parts: [part] }];
    }
    default:
      return [{ kind: 'unknown', type: `response_item:${type}` }];
  }
}

/** Roles of instructions to the model. */
const CONTEXT_ROLES: ReadonlySet<string> = new Set(['developer', 'system']);

function readMessage({ payload, key }: CodexLine, state: TranscriptState): EntryDraft[] {
  const id = `${key}#0`;
  const content = listAt(payload, 'content').filter(isJsonObject);
  const texts = content.flatMap((raw): TranscriptText[] => {
    const text = textAt(raw, 'text');
    return text === undefined ? [] : [{ type: 'text', key: id, text, raw }];
  });
  const blocks = content.filter((raw) => textAt(raw, 'text') === undefined).map(readBlock);
  const role = textAt(payload, 'role');
  // The model continues only when its calls have returned.
  const settlesCalls = role === 'assistant' || role === 'user';
  if (!settlesCalls && !CONTEXT_ROLES.has(role ?? '')) {
    return [{ kind: 'unknown', type: `message:${role ?? ''}`, raw: payload }];
  }
  const isContext = CONTEXT_HEAD.test(texts.map(({ text }) => text).join('\n\n'));
  if (!settlesCalls || (role === 'user' && isContext)) {
    const type = `message:${role ?? ''}:context`;
    return [{ kind: 'note', type, parts: [...blocks, ...texts], settlesCalls, raw: payload }];
  }
  const speech = role === 'user' ? 'user_message' : 'assistant_message';
  const told = role === 'user' ? undefined : messageInText(texts.map(({ text }) => text).join(''));
  const entries = told
    ? [readAgentMessage({ payload: told, key }, 'message')]
    : speak(state, key, 'message', { speech, side: 'item', parts: texts });
  const [first = { kind: 'message', type: 'message' }, ...others] = entries;
  return [{ ...first, parts: [...blocks, ...(first.parts ?? [])], settlesCalls }, ...others];
}

function readBlock(raw: JsonObject): TranscriptBlock {
  const isImage = textAt(raw, 'image_url')?.startsWith('data:') === true;
  if (isImage) return { type: 'other', name: 'image', kind: 'note', raw };
  return { type: 'other', name: textAt(raw, 'type') ?? '', kind: 'unknown', raw };
}

function readReasoning({ payload, key }: CodexLine, state: TranscriptState): EntryDraft[] {
  const type = 'reasoning';
  const all = [...listAt(payload, 'summary'), ...listAt(payload, 'content')].filter(isJsonObject);
  const thoughts = all.filter((raw) => (textAt(raw, 'text') ?? '').trim() !== '');
  if (thoughts.length === 0) {
    const part = { type: 'thinking', key: `${key}#0`, text: '', raw: payload } as const;
    return [{ kind: 'message', type, parts: [part] }];
  }
  return thoughts.flatMap((raw, index) => {
    const id = `${key}#${index}`;
    const part = { type: 'thinking', key: id, text: textAt(raw, 'text') ?? '', raw } as const;
    return speak(state, key, type, { speech: 'thinking', side: 'item', parts: [part] });
  });
}

function readCall(
  { payload: raw, key }: CodexLine,
  state: TranscriptState,
  input: JsonValue,
  name?: string,
): EntryDraft {
  const id = textAt(raw, 'call_id', 'id') ?? key;
  const tool = name ?? textAt(raw, 'name') ?? 'unknown';
  const workdir = textAt(objectOf(input), 'workdir', 'working_directory');
  const cwd = workdir ?? stringOf(state.notes['cwd']);
  state.seen.set(callKey(id), true);
  return {
    kind: 'message',
    type: textAt(raw, 'type') ?? '',
    ...contextOf(state),
    parts: [{ type: 'tool-call', id, tool, input, cwd, raw }],
  };
}
