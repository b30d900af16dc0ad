import { listAt, numberAt, objectAt, textAt } from '../../json/fields.ts';
import type { JsonObject, JsonValue } from '../../json/json-value.ts';
import type { TranscriptResult } from '../model/entry.ts';
import type { EntryDraft } from '../model/read-line.ts';
import type { TranscriptState } from '../model/state.ts';
import { durationOf, pathOf, readCalled } from './read-called.ts';
import { contextOf, speak, type CodexLine } from './speak.ts';

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

/** Returns the command as it was written: the shell in which it ran is the agent's. */
function inputOf(item: JsonObject): JsonObject {
  const words = listAt(item, 'command');
  const isShell = words.length === 3 && typeof words[1] === 'string' && /^-l?c$/.test(words[1]);
  const cmd: JsonValue = isShell ? (words[2] ?? '') : words;
  return { cmd, workdir: folderOf(item) };
}

function folderOf(item: JsonObject): string {
  return pathOf(textAt(item, 'cwd') ?? '');
}

function cwdOf({ notes }: TranscriptState): string | undefined {
  return typeof notes['cwd'] === 'string' ? notes['cwd'] : undefined;
}
