import { fileURLToPath } from 'node:url';
import { listAt, numberAt, objectAt, stringOf, textAt } from '../../json/fields.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value.ts';
import type { TranscriptCall, TranscriptResult } from '../model/entry.ts';
import type { EntryDraft } from '../model/read-line.ts';
import type { TranscriptState } from '../model/state.ts';
import { type CodexLine, contextOf, speak } from './speak.ts';

/** Items that other lines say as well, in the words that the model gave or was given. */
const REPEATED: ReadonlySet<string> = new Set(['AgentMessage', 'Reasoning', 'UserMessage']);

/**
 * Reads an item that is complete. Changes of files by tools and the output of commands are only here as they were: a
 * call of the model may be code that calls them, and its output may be cut.
 */
export function readCompleted(
  { payload, key }: CodexLine,
  state: TranscriptState,
): readonly EntryDraft[] {
  const item = objectAt(payload, 'item');
  const name = textAt(item, 'type') ?? 'without a type';
  const type = `item_completed:${name}`;
  if (name === 'Plan') {
    const part = {
      type: 'text',
      key: `${key}#0`,
      text: textAt(item, 'text') ?? '',
      raw: item,
    } as const;
    return speak(state, key, type, { speech: 'assistant_message', side: 'event', parts: [part] });
  }
  const called = readCalled(name, item);
  // The result for the model follows where the call is one of the model itself.
  if (called && !state.seen.has(callKey(called.result.id))) {
    state.seen.set(callKey(called.result.id), true);
    const call = { ...called.call, type: 'tool-call', cwd: cwdOf(state), raw: item } as const;
    return [{ kind: 'message', type, ...contextOf(state), parts: [call, called.result] }];
  }
  return [called || REPEATED.has(name) ? { kind: 'passing', type } : readDone(name, item, state)];
}

/** Reads changes of files, and commands. */
function readDone(name: string, item: JsonObject, state: TranscriptState): EntryDraft {
  const type = `item_completed:${name}`;
  const result = name === 'FileChange' ? changedFiles(item) : commandOf(name, item);
  if (!result || result.id === '') return { kind: 'note', type };
  // The model has read the result already, such as the beginning of a long output.
  if (state.seen.has(doneKey(result.id))) return { kind: 'passing', type };
  const isCalled = state.seen.has(callKey(result.id));
  // The result for the model follows that of files.
  if (name !== 'FileChange') state.seen.set(doneKey(result.id), true);
  const entry = { kind: 'message', type, role: 'tool' } as const;
  if (isCalled) return { ...entry, parts: [result] };
  state.seen.set(callKey(result.id), true);
  const call = {
    type: 'tool-call',
    id: result.id,
    tool: name === 'FileChange' ? 'apply_patch' : 'exec_command',
    input: name === 'FileChange' ? { changes: item['changes'] ?? {} } : inputOf(item),
    cwd: textAt(item, 'cwd') === undefined ? cwdOf(state) : folderOf(item),
    raw: item,
  } as const;
  return { ...entry, role: 'assistant', ...contextOf(state), parts: [call, result] };
}

/** Names a call in what the reader remembers, and one whose result was read. */
export function callKey(id: string): string {
  return `call ${id}`;
}

export function doneKey(id: string): string {
  return `done ${id}`;
}

function changedFiles(item: JsonObject): TranscriptResult {
  const { changes: _changes, ...output } = item;
  const error = textAt(item, 'stderr') ?? '';
  return {
    type: 'tool-result',
    id: textAt(item, 'id') ?? '',
    output,
    success: textAt(item, 'status') === 'completed',
    error: error === '' ? 'the tool failed' : error,
    isOfFiles: true,
    raw: item,
  };
}

function commandOf(name: string, item: JsonObject): TranscriptResult | undefined {
  if (name !== 'CommandExecution') return undefined;
  const exit = numberAt(item, 'exit_code');
  const output = textAt(item, 'aggregated_output') ?? '';
  return {
    type: 'tool-result',
    id: textAt(item, 'id') ?? '',
    output: exit === undefined || exit === 0 ? output : `Exit code: ${exit}\n${output}`,
    success: exit === undefined ? textAt(item, 'status') === 'completed' : exit === 0,
    durationMs: durationOf(item),
    raw: item,
  };
}

/** Shells, and the flags that a command follows. */
const SHELL = /(?:^|[\\/])(?:(?:a|ba|c|da|fi|k|mk|tc|ya|z)?sh|cmd|powershell|pwsh)(?:\.exe)?$/i;
const FLAG = /^(?:-[eil]*c|-command|\/c)$/i;
/** Flags that have a value. */
const VALUED = /^(?:[-+]o|-(?:ep|executionpolicy|windowstyle))$/i;

/** Returns the command as it was written: the shell in which it ran is the agent's. */
function inputOf(item: JsonObject): JsonObject {
  const words = listAt(item, 'command');
  const [shell] = words;
  const flags = words.slice(1, -1).map((word) => stringOf(word) ?? '');
  const hasScript = flags.some(
    (flag, at) => !/^[-+/]/.test(flag) && !VALUED.test(flags[at - 1] ?? ''),
  );
  const isShell =
    typeof shell === 'string' && SHELL.test(shell) && FLAG.test(flags.at(-1) ?? '') && !hasScript;
  const cmd: JsonValue = isShell ? (words.at(-1) ?? '') : words;
  return { cmd, workdir: folderOf(item) };
}

function folderOf(item: JsonObject): string {
  return pathOf(textAt(item, 'cwd') ?? '');
}

function cwdOf({ notes }: TranscriptState): string | undefined {
  return typeof notes['cwd'] === 'string' ? notes['cwd'] : undefined;
}

/** A call of a tool that is complete, and its result. */
interface Called {
  readonly call: Pick<TranscriptCall, 'id' | 'input' | 'tool'>;
  readonly result: TranscriptResult;
}

/** Returns the call and the result of an item: of a tool of an MCP server or a program around Codex, or of a picture. */
function readCalled(name: string, item: JsonObject): Called | undefined {
  const id = textAt(item, 'id') ?? '';
  if (id === '') return undefined;
  const isImage = name === 'ImageView';
  if (!isImage && name !== 'McpToolCall' && name !== 'DynamicToolCall') return undefined;
  const error = textAt(objectAt(item, 'error'), 'message') ?? textAt(item, 'error');
  const told = objectAt(item, 'result');
  const success =
    (textAt(item, 'status') ?? 'completed') === 'completed' &&
    error === undefined &&
    item['success'] !== false &&
    told['is_error'] !== true &&
    told['isError'] !== true;
  const path = pathOf(textAt(item, 'path') ?? '');
  return {
    call: {
      id,
      tool: isImage ? 'view_image' : (textAt(item, 'tool') ?? 'unknown'),
      input: isImage ? { path } : (item['arguments'] ?? null),
    },
    result: {
      type: 'tool-result',
      id,
      output: error ?? outputOf(item, told),
      success,
      error,
      durationMs: durationOf(item),
      raw: item,
    },
  };
}

function outputOf(item: JsonObject, told: JsonObject): JsonValue {
  const lists = [
    listAt(told, 'content'),
    listAt(item, 'content_items'),
    listAt(item, 'contentItems'),
  ];
  const blocks = lists.find((list) => list.length > 0) ?? [];
  return blocks.map((block) => {
    const text = isJsonObject(block) ? textAt(block, 'text') : undefined;
    return text === undefined ? block : { type: 'text', text };
  });
}

/** Returns how long an item took, in milliseconds. */
function durationOf(item: JsonObject): number | undefined {
  const duration = objectAt(item, 'duration');
  const seconds = numberAt(duration, 'secs');
  if (seconds === undefined) return undefined;
  return Math.round(seconds * 1000 + (numberAt(duration, 'nanos') ?? 0) / 1e6);
}

/** Returns the path that a text names, as it is or as a URL. */
function pathOf(text: string): string {
  if (!text.startsWith('file://')) return text;
  try {
    return fileURLToPath(text);
  } catch {
    return text;
  }
}
