import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { objectOf, parseJson, textAt } from '../capture/fields.ts';
import { MemoryError } from '../errors.ts';
import { assertKnownKeys } from '../known-keys.ts';
import { addMember, removeMember } from './edit-jsonc.ts';
import { fieldOf, parseJsonc, type JsoncNode } from './jsonc.ts';
import { defaultSettingsFile, readIfThere, replaceFile } from './settings-file.ts';

/** Options of `installHooks` and `uninstallHooks`. */
export interface InstallHooksOptions {
  /** What Claude Code runs for each hook, such as `ptta hook`. */
  readonly command: string;
  /** Default: `~/.claude/settings.json`, or that of `CLAUDE_CONFIG_DIR`. */
  readonly settingsFile?: string;
}

/** What became of the settings. */
export interface InstallHooksReport {
  readonly settingsFile: string;
  /** The hooks that were added or taken out. */
  readonly hooks: readonly string[];
}

/** The tools that change files: only their calls are announced. */
const EDITORS = 'Edit|MultiEdit|Write|NotebookEdit';

/** The hooks, with the tools that they are for. */
const HOOKS: readonly (readonly [event: string, matcher?: string])[] = [
  ['SessionStart'],
  ['UserPromptSubmit'],
  ['PreToolUse', EDITORS],
  ['PostToolUse', '*'],
  ['PostToolUseFailure', '*'],
  ['Stop'],
  ['SubagentStop'],
  ['PreCompact'],
  ['SessionEnd'],
];

const TIMEOUT_SECONDS = 10;

/**
 * Adds the memory's hooks to the settings of Claude Code. Everything else of the file stays as it is,
 * comments too; hooks that are there are not added again.
 *
 * @throws MemoryError `invalid-input` if the file is no JSON, or has something else in their place.
 *
 * @example
 * ```ts
 * await installHooks({ command: 'ptta hook' });
 * ```
 */
export async function installHooks(options: InstallHooksOptions): Promise<InstallHooksReport> {
  assertOptions('installHooks', options);
  const { command, settingsFile = defaultSettingsFile() } = options;
  const before = await readIfThere(settingsFile);
  let text = before === undefined || before.trim() === '' ? '{}\n' : before;
  const added: string[] = [];
  for (const [event, matcher] of HOOKS) {
    const entry = {
      ...(matcher === undefined ? {} : { matcher }),
      hooks: [{ type: 'command', command, timeout: TIMEOUT_SECONDS }],
    };
    const next = withEntry(text, settingsFile, event, command, entry);
    if (next === undefined) continue;
    text = next;
    added.push(event);
  }
  if (added.length > 0) {
    const undo = { before: await original(before, options, settingsFile), hash: hashOf(text) };
    await replaceFile(undoFile(settingsFile), JSON.stringify(undo));
    await replaceFile(settingsFile, text);
  }
  return { settingsFile, hooks: added };
}

/**
 * Takes the memory's hooks out again. If nobody has changed the file since they were added, it becomes
 * what it was, to the byte; else only they go.
 *
 * @throws MemoryError `invalid-input` if the file is no JSON.
 */
export async function uninstallHooks(options: InstallHooksOptions): Promise<InstallHooksReport> {
  assertOptions('uninstallHooks', options);
  const { command, settingsFile = defaultSettingsFile() } = options;
  const now = await readIfThere(settingsFile);
  const undo = await readUndo(settingsFile);
  if (now === undefined) return { settingsFile, hooks: [] };
  const { text, removed } = withoutAll(now, settingsFile, command);
  const isUntouched = undo?.hash === hashOf(now);
  if (isUntouched && undo.before === null) await rm(settingsFile, { force: true });
  else if (isUntouched && undo.before !== null) await replaceFile(settingsFile, undo.before);
  else if (removed.length > 0) await replaceFile(settingsFile, text);
  await rm(undoFile(settingsFile), { force: true });
  return { settingsFile, hooks: removed };
}

function assertOptions(what: string, options: InstallHooksOptions): void {
  assertKnownKeys(what, options, ['command', 'settingsFile']);
  const command: unknown = options.command;
  if (typeof command === 'string' && command.trim() !== '') return;
  throw new MemoryError('invalid-input', `${what} needs a 'command' that Claude Code runs`);
}

function withEntry(
  text: string,
  file: string,
  event: string,
  command: string,
  entry: object,
): string | undefined {
  const root = rootOf(text, file);
  const hooks = fieldOf(root, 'hooks');
  if (!hooks) return addMember(text, root, 'hooks', { [event]: [entry] });
  assertKind(hooks, 'object', 'hooks', file);
  const list = fieldOf(hooks, event);
  if (!list) return addMember(text, hooks, event, [entry]);
  assertKind(list, 'array', `hooks.${event}`, file);
  const isThere = list.members.some(({ value }) => commandsOf(value).includes(command));
  return isThere ? undefined : addMember(text, list, undefined, entry);
}

/** The settings without these hooks, as they were before the first of them came. */
async function original(
  now: string | undefined,
  { command }: InstallHooksOptions,
  file: string,
): Promise<string | null> {
  if (now === undefined) return null;
  const undo = await readUndo(file);
  if (undo?.hash === hashOf(now)) return undo.before;
  return now.trim() === '' ? now : withoutAll(now, file, command).text;
}

function withoutAll(
  text: string,
  file: string,
  command: string,
): { readonly text: string; readonly removed: readonly string[] } {
  let left = text;
  const removed: string[] = [];
  for (const [event] of HOOKS) {
    const next = withoutEntry(left, file, event, command);
    if (next === undefined) continue;
    left = next;
    removed.push(event);
  }
  return { text: left, removed };
}

function withoutEntry(
  text: string,
  file: string,
  event: string,
  command: string,
): string | undefined {
  const root = rootOf(text, file);
  const hooks = fieldOf(root, 'hooks');
  const list = fieldOf(hooks, event);
  const index = list?.members.findIndex(({ value }) => {
    const commands = commandsOf(value);
    return commands.length > 0 && commands.every((other) => other === command);
  });
  if (!hooks || !list || index === undefined || index === -1) return undefined;
  if (list.members.length > 1) return removeMember(text, list, index);
  const place = hooks.members.findIndex(({ name }) => name === event);
  if (hooks.members.length > 1) return removeMember(text, hooks, place);
  return removeMember(
    text,
    root,
    root.members.findIndex(({ name }) => name === 'hooks'),
  );
}

function commandsOf(entry: JsoncNode): string[] {
  const hooks = fieldOf(entry, 'hooks');
  return (hooks?.members ?? []).map(({ value }) => fieldOf(value, 'command')?.text ?? '');
}

function rootOf(text: string, file: string): JsoncNode {
  try {
    const root = parseJsonc(text);
    assertKind(root, 'object', 'the file', file);
    return root;
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : '';
    throw new MemoryError('invalid-input', `${file} cannot be edited: ${why}`, {
      cause,
      context: { file },
    });
  }
}

function assertKind(node: JsoncNode, kind: JsoncNode['kind'], what: string, file: string): void {
  if (node.kind === kind) return;
  throw new MemoryError('invalid-input', `${file}: ${what} is no ${kind}`, { context: { file } });
}

/** Holds the settings as they were, beside them. */
function undoFile(settingsFile: string): string {
  return `${settingsFile}.before-memory-hooks`;
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

async function readUndo(
  settingsFile: string,
): Promise<{ readonly before: string | null; readonly hash: string } | undefined> {
  const undo = objectOf(parseJson((await readIfThere(undoFile(settingsFile))) ?? ''));
  const hash = textAt(undo, 'hash');
  return hash === undefined ? undefined : { before: textAt(undo, 'before') ?? null, hash };
}
