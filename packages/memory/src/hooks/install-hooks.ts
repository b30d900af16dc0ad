import { createHash } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { messageOf } from '@vizprompt/providers';
import {
  FLAG,
  type Kind,
  type Kinds,
  oneOf,
  optional,
  TEXT,
} from '@vizprompt/providers/config/internal';
import {
  isError,
  isMissing,
  listAt,
  objectOf,
  replaceFile,
  textAt,
} from '@vizprompt/providers/internal';
import { parseShallowJson } from '@vizprompt/providers/transcripts/internal';
import { isInGit, isWithin, linkBetween } from '@vizprompt/providers/trust/internal';
import { checkOptions } from '../check-values.ts';
import { MemoryError } from '../errors.ts';
import { realPlace } from '../files/resolve-file.ts';
import { HOOK_AGENTS, HOOK_FORMS, type HookAgent } from './agent-hooks.ts';
import {
  addMember,
  fieldOf,
  type JsoncMember,
  type JsoncNode,
  parseJsonc,
  removeMember,
} from './jsonc.ts';
import { isOpencodePlugin } from './opencode-plugin.ts';

/** Options of `installHooks` and `uninstallHooks`. */
export interface InstallHooksOptions {
  /** Command that the agent runs for each hook, such as `ptta hook`. */
  readonly command: string;
  /** The agent. Default: `'claude-code'`. */
  readonly agent?: HookAgent | undefined;
  /** The settings that the hooks are written to. Default: those of the agent for this user. */
  readonly settingsFile?: string | undefined;
  /**
   * The folder of a project that may come from another person. Settings in it are not changed through a link. Default:
   * none, so that links are followed.
   */
  readonly project?: string | undefined;
  /** Says what would be done, and writes nothing. Default: `false`. */
  readonly dryRun?: boolean | undefined;
}

const COMMAND: Kind<string> = {
  expected: 'a command that the agent runs',
  accepts: (value) => typeof value === 'string' && value.trim() !== '',
};
const INSTALL_HOOKS_OPTIONS: Kinds<InstallHooksOptions> = {
  command: COMMAND,
  agent: optional(oneOf(...HOOK_AGENTS)),
  settingsFile: optional(TEXT),
  project: optional(TEXT),
  dryRun: optional(FLAG),
};

/** The result for the settings. */
export interface InstallHooksReport {
  readonly settingsFile: string;
  /** The hooks that were added or removed. */
  readonly hooks: readonly string[];
}

/**
 * Adds the memory's hooks to the settings of an agent. Everything else of the file stays as it is,
 * comments too; hooks that are there are not added again.
 *
 * @throws MemoryError `invalid-input` if the file is not JSON, or has something else in their place; `path-outside` if
 * a link of the project leads to it, or it is in a folder of git.
 *
 * @example
 * ```ts
 * await installHooks({ command: 'ptta hook' });
 * ```
 */
export async function installHooks(options: InstallHooksOptions): Promise<InstallHooksReport> {
  checkOptions('installHooks', options, INSTALL_HOOKS_OPTIONS);
  const { command, agent = 'claude-code', dryRun = false } = options;
  const form = HOOK_FORMS[agent];
  const { settingsFile = form.user(), project } = options;
  assertPlace(settingsFile, project);
  assertPlace(undoFile(settingsFile), project);
  if ('plugin' in form) {
    const hooks = await changePlugin(settingsFile, form.plugin(command), dryRun);
    return { settingsFile, hooks };
  }
  const before = await readIfThere(settingsFile);
  let text = before === undefined || before.trim() === '' ? form.empty : before;
  const added: string[] = [];
  for (const event of form.events) {
    const entry = form.entry(command, event);
    const next = withEntry(text, settingsFile, event.name, command, entry);
    if (next === undefined) continue;
    text = next;
    added.push(event.name);
  }
  if (added.length > 0 && !dryRun) {
    const own = {
      command,
      before: await original(before, options, settingsFile),
      hash: hashOf(text),
    };
    const others = (await readUndos(settingsFile)).filter((undo) => undo.command !== command);
    await writeUndos(settingsFile, [own, ...others]);
    await replaceSettings(settingsFile, text);
  }
  return { settingsFile, hooks: added };
}

/**
 * Removes the memory's hooks again: those that run this command, wherever they are by now. If the file
 * did not change since they were added, it becomes what it was, to the byte; else only they go, and all
 * other hooks stay as they are written.
 *
 * @throws MemoryError `invalid-input` if the file cannot be read, or is not JSON; `path-outside` as
 * {@link installHooks}.
 */
export async function uninstallHooks(options: InstallHooksOptions): Promise<InstallHooksReport> {
  checkOptions('uninstallHooks', options, INSTALL_HOOKS_OPTIONS);
  const { command, agent = 'claude-code', dryRun = false } = options;
  const form = HOOK_FORMS[agent];
  const { settingsFile = form.user(), project } = options;
  assertPlace(settingsFile, project);
  assertPlace(undoFile(settingsFile), project);
  if ('plugin' in form) {
    return { settingsFile, hooks: await changePlugin(settingsFile, undefined, dryRun) };
  }
  const now = await readIfThere(settingsFile);
  const undos = await readUndos(settingsFile);
  const undo = undos.find((one) => one.command === command);
  let hooks: readonly string[] = [];
  if (now !== undefined && now.trim() !== '') {
    const { text, removed } = withoutAll(now, settingsFile, command, undo?.before);
    const isUntouched = undo?.hash === hashOf(now);
    if (dryRun) return { settingsFile, hooks: removed };
    const isNew = undo?.before === null && (isUntouched || text.trim() === form.empty.trim());
    if (isNew) await deleteFile(settingsFile);
    else if (isUntouched && undo.before !== null) await replaceSettings(settingsFile, undo.before);
    else if (removed.length > 0) await replaceSettings(settingsFile, text);
    hooks = removed;
  }
  if (undo && !dryRun) {
    const left = await readIfThere(settingsFile);
    await writeUndos(settingsFile, withoutUndo(undos, undo, { settingsFile, now, left }));
  }
  return { settingsFile, hooks };
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

/** Returns the settings without these hooks, as they were before the first of them came. */
async function original(
  now: string | undefined,
  { command }: InstallHooksOptions,
  file: string,
): Promise<string | null> {
  if (now === undefined) return null;
  const undo = await readUndo(file, command);
  if (undo?.hash === hashOf(now)) return undo.before;
  return now.trim() === '' ? now : withoutAll(now, file, command, undo?.before).text;
}

/** @param before - The settings before the hooks came: lists and objects in it stay, empty or not. */
function withoutAll(
  text: string,
  file: string,
  command: string,
  before: string | null = null,
): { readonly text: string; readonly removed: readonly string[] } {
  let left = text;
  const removed = new Set<string>();
  const kept = emptyPlaces(before);
  for (;;) {
    const found = findHook(left, file, command, kept);
    if (!found) return { text: left, removed: [...removed] };
    removed.add(found.event);
    left = removeMember(left, found.node, found.index, kept.get(found.place ?? ''));
  }
}

interface FoundHook {
  readonly event: string;
  /** The name of the list or object. */
  readonly place?: string;
  readonly node: JsoncNode;
  readonly index: number;
}

/** Returns the text within empty lists and objects: by the names of the events, and `hooks` if that is empty itself. */
function emptyPlaces(before: string | null): ReadonlyMap<string, string> {
  if (before === null || before.trim() === '') return new Map();
  const root = parseJsonc(before);
  const hooks = fieldOf(root, 'hooks')?.members ?? [];
  const isEmpty = ({ value }: JsoncMember): boolean => value.members.length === 0;
  return new Map(
    [...root.members, ...hooks].filter(isEmpty).map(({ name, value }) => {
      const within = before.slice(value.start + 1, value.end - 1);
      return [name, /\S/.test(within) ? '' : within];
    }),
  );
}

/** Finds what to remove next for a hook to go: the hook itself, or what would be empty without it. */
function findHook(
  text: string,
  file: string,
  command: string,
  kept: ReadonlyMap<string, string>,
): FoundHook | undefined {
  const root = rootOf(text, file);
  const place = root.members.findLastIndex(({ name }) => name === 'hooks');
  const all = root.members[place];
  for (const [at, named] of (all?.value.members ?? []).entries()) {
    const { name: event, value: list } = named;
    if (!all || list.kind !== 'array') continue;
    for (const [index, { value: entry }] of list.members.entries()) {
      const own = fieldOf(entry, 'hooks');
      const inner = commandsOf(entry).indexOf(command);
      if (inner === -1) continue;
      if (own && own.members.length > 1) return { event, node: own, index: inner };
      if (kept.has(event) || !isAllOf(text, named))
        return { event, node: list, index, place: event };
      if (kept.has('hooks') || !isAllOf(text, all))
        return { event, node: all.value, index: at, place: 'hooks' };
      return { event, node: root, index: place };
    }
  }
  return undefined;
}

/** Checks whether a field holds one thing and nothing else, comments included. */
function isAllOf(text: string, { start, value }: JsoncMember): boolean {
  const [first, ...rest] = value.members;
  if (!first || rest.length > 0) return false;
  const inner =
    text.slice(value.start + 1, first.start) + text.slice(first.value.end, value.end - 1);
  return /^[\s,]*$/.test(inner) && NAME.test(text.slice(start, value.start));
}

const NAME = /^"(?:[^"\\]|\\.)*"\s*:\s*$/;

function commandsOf(entry: JsoncNode): string[] {
  // Copilot CLI has the command in the entry itself.
  const flat = fieldOf(entry, 'bash')?.text;
  if (flat !== undefined) return [flat];
  const hooks = fieldOf(entry, 'hooks');
  return (hooks?.members ?? []).map(({ value }) => fieldOf(value, 'command')?.text ?? '');
}

function rootOf(text: string, file: string): JsoncNode {
  try {
    const root = parseJsonc(text);
    assertKind(root, 'object', 'the file', file);
    return root;
  } catch (cause) {
    const why = isError(cause) ? cause.message : '';
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

/** Holds the settings as they were, next to them. */
function undoFile(settingsFile: string): string {
  return `${settingsFile}.before-memory-hooks`;
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** The settings as they were before the hooks of a command came. */
interface Undo {
  readonly command: string;
  /** `null` if there were none. */
  readonly before: string | null;
  /** Hash of the settings with the hooks. */
  readonly hash: string;
}

async function readUndo(settingsFile: string, command: string): Promise<Undo | undefined> {
  return (await readUndos(settingsFile)).find((undo) => undo.command === command);
}

/** Reads the undo data of all commands whose hooks are there, the last one that came first. */
async function readUndos(settingsFile: string): Promise<readonly Undo[]> {
  const last = objectOf(parseShallowJson((await readIfThere(undoFile(settingsFile))) ?? ''));
  return [last, ...listAt(last, 'former').map(objectOf)].flatMap((undo): Undo[] => {
    const [command, hash] = [textAt(undo, 'command'), textAt(undo, 'hash')];
    const before = textAt(undo, 'before') ?? null;
    const isWhole = before !== null || undo['before'] === null;
    return command === undefined || hash === undefined || !isWhole
      ? []
      : [{ command, before, hash }];
  });
}

async function writeUndos(settingsFile: string, undos: readonly Undo[]): Promise<void> {
  const [last, ...former] = undos;
  if (!last) await deleteFile(undoFile(settingsFile));
  else {
    const all = former.length === 0 ? last : { ...last, former };
    await replaceSettings(undoFile(settingsFile), JSON.stringify(all));
  }
}

/**
 * Returns the undo data without that of hooks that went, as if they had never come: none restores settings with these hooks.
 */
function withoutUndo(
  undos: readonly Undo[],
  gone: Undo,
  {
    settingsFile,
    now,
    left,
  }: {
    readonly settingsFile: string;
    readonly now: string | undefined;
    readonly left: string | undefined;
  },
): readonly Undo[] {
  const others = undos.filter((undo) => undo !== gone);
  /** The settings without these hooks, by the hash of those with them. */
  const hashes = new Map<string, string>();
  const cleaned = others.flatMap((undo) => {
    const before = withoutHooks(undo.before, settingsFile, gone);
    if (before === undefined) return [];
    if (undo.before !== null && before !== null) hashes.set(hashOf(undo.before), hashOf(before));
    return [{ ...undo, before, isChanged: before !== undo.before }];
  });
  if (now !== undefined && left !== undefined) hashes.set(hashOf(now), hashOf(left));
  return cleaned.map(({ isChanged, hash, ...undo }) => {
    // Settings that still have these hooks are not to be restored to some without them.
    return { ...undo, hash: hashes.get(hash) ?? (isChanged ? '' : hash) };
  });
}

/** Returns settings as they were before without these hooks; `undefined` if they cannot be read. */
function withoutHooks(before: string | null, file: string, gone: Undo): string | null | undefined {
  if (before === null || before.trim() === '') return before;
  if (hashOf(before) === gone.hash) return gone.before;
  try {
    return withoutAll(before, file, gone.command, gone.before).text;
  } catch {
    return undefined;
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Returns the text of a file; `undefined` if there is none.
 *
 * @throws MemoryError `invalid-input` if it cannot be read, or is not UTF-8, which would not come back as it was.
 */
async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return decoder.decode(await readFile(path));
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw new MemoryError('invalid-input', `${path} cannot be read: ${messageOf(error)}`, {
      cause: error,
      context: { file: path },
    });
  }
}

/**
 * Checks that a file is where its path says. The links of a project may come with it, from a person who wants another
 * file to be written; those of this user in their home folder are followed. Nothing is written into a folder of git,
 * which would obey it.
 *
 * @param project - The folder of the project; absent for settings of this user.
 * @throws MemoryError `path-outside`.
 */
function assertPlace(path: string, project: string | undefined): void {
  const isOfProject = project !== undefined && isWithin(resolve(project), resolve(path));
  const link = isOfProject ? linkBetween(project, path) : undefined;
  if (link !== undefined) {
    throw new MemoryError(
      'path-outside',
      `${path} cannot be changed: ${link} is a link, so that another file would be written. Replace the link ` +
        'with a plain folder or file, or name the settings by their own path',
      { context: { file: path, link } },
    );
  }
  if (!isInGit(path, isOfProject ? project : undefined)) return;
  throw new MemoryError(
    'path-outside',
    `${path} cannot be changed: it is in a folder of git. Name settings outside of it`,
    { context: { file: path } },
  );
}

/** Replaces the text of a file as a whole; a link stays a link, and the mode stays. */
async function replaceSettings(path: string, text: string): Promise<void> {
  await replaceFile(await realPlace(path), text, { mode: 0o600 });
}

/** Deletes a file; a link that leads to it stays. */
async function deleteFile(path: string): Promise<void> {
  await rm(await realPlace(path), { force: true });
}

/** The name in the report, as a plugin has no hooks that are named in settings. */
const PLUGIN = 'plugin';

/**
 * Writes a plugin, or deletes it.
 *
 * @param text - The plugin; `undefined` to delete it.
 * @returns The name of the plugin if its file changes; otherwise nothing.
 * @throws MemoryError `invalid-input` if the file is another one.
 */
async function changePlugin(
  file: string,
  text: string | undefined,
  dryRun: boolean,
): Promise<readonly string[]> {
  const now = await readIfThere(file);
  if (now !== undefined && !isOpencodePlugin(now)) {
    if (text === undefined) return [];
    throw new MemoryError(
      'invalid-input',
      `${file} is not the memory's plugin: rename it, then try again`,
      { context: { file } },
    );
  }
  if (now === text) return [];
  if (dryRun) return [PLUGIN];
  if (text === undefined) await deleteFile(file);
  else await replaceSettings(file, text);
  return [PLUGIN];
}
