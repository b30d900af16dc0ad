import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { type HeldLock, messageOf, StorageError } from '@vizprompt/providers';
import { readPlainFile, replaceFile, syncFolder } from '@vizprompt/providers/internal';
import { checkOptions } from '../check-values.ts';
import { MemoryError } from '../errors.ts';
import { logEvent } from '../log/log-events.ts';
import type { FileAction } from '../model/event-data.ts';
import type { EventOf, NewEventData } from '../model/memory-event.ts';
import { filePath } from '../model/paths.ts';
import { assertRealWorkspace } from '../redact/redactor.ts';
import type { MemoryContext } from '../store/memory-context.ts';
import { resolveSession } from '../store/session-rows.ts';
import {
  FILE_EDIT_REQUEST,
  type FileEditRequest,
  RECORD_EDIT_REQUEST,
  type RecordedEdit,
  type RecordEditRequest,
} from './file-options.ts';
import { recordedPath, type ResolvedFile, resolveFile } from './resolve-file.ts';

/** Records the intention, changes the file, and records how that went. */
export async function editFile(
  context: MemoryContext,
  request: FileEditRequest,
): Promise<RecordedEdit> {
  checkOptions('editFile', request, FILE_EDIT_REQUEST);
  assertOneChange(request);
  const { workspace } = await resolveSession(context, request.session);
  assertRealWorkspace(workspace);
  const file = await resolveFile(request.path, workspace);
  if (request.delete && file.isLink) {
    const why = `it is a symbolic link: delete ${file.target}, to which it leads, or the link by yourself`;
    throw conflict(file.given, why);
  }
  // Each begins with what the one before has left behind.
  return oneAfterAnother(file.target, async () => {
    const lock = await lockFile(context, file.target);
    try {
      return await editResolved(context, request, file);
    } finally {
      await lock.release();
    }
  });
}

async function editResolved(
  context: MemoryContext,
  request: FileEditRequest,
  { path, target }: ResolvedFile,
): Promise<RecordedEdit> {
  const { session, reason, parent } = request;
  const before = await readText(target);
  const after = textAfter(request, path, before);
  const texts = {
    ...(before === undefined ? {} : { old_content: before }),
    ...(after === undefined ? {} : { new_content: after }),
  };
  const action = actionOf(before, after);
  const intention = await logIntention(
    context,
    session,
    { action, file_path: path, reason, ...texts },
    parent,
  );
  const failure = await change(target, before, after);
  const edit = await logEdit(context, session, {
    action,
    file_path: path,
    ...texts,
    intention_event_id: intention.id,
    success: failure === undefined,
    ...(failure === undefined ? {} : { error_message: messageOf(failure) }),
  });
  if (failure !== undefined && MemoryError.isInstance(failure)) throw failure;
  return { intention, edit };
}

/** Returns the action on a file that has these texts before and afterwards. */
function actionOf(before: string | undefined, after: string | undefined): FileAction {
  if (after === undefined && before !== undefined) return 'delete';
  return before === undefined ? 'create' : 'edit';
}

/** Logs an intention. */
async function logIntention(
  context: MemoryContext,
  session: string,
  data: object,
  parent?: string,
): Promise<EventOf<'code_intention'>> {
  const facts = parent === undefined ? {} : { parent };
  const event = await logEvent(context, session, { type: 'code_intention', data, ...facts });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- of the type that was logged
  return event as EventOf<'code_intention'>;
}

/** Logs the edit that an intention led to. */
async function logEdit(
  context: MemoryContext,
  session: string,
  data: NewEventData<'file_edit'> & { readonly intention_event_id: string },
): Promise<EventOf<'file_edit'>> {
  const parent = data.intention_event_id;
  const event = await logEvent(context, session, { type: 'file_edit', data, parent });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- of the type that was logged
  return event as EventOf<'file_edit'>;
}

/** Gives the reason why the file could not be changed. */
async function change(
  target: string,
  before: string | undefined,
  after: string | undefined,
): Promise<unknown> {
  try {
    if (after === undefined) {
      assertUnchanged(target, before);
      rmSync(target);
      await syncFolder(dirname(target));
    } else {
      await writeText(target, before, after);
    }
    return undefined;
  } catch (error) {
    return error;
  }
}

/** A mistake here must not be taken for a deletion. */
function assertOneChange({ newContent, edit, delete: deletes }: FileEditRequest): void {
  const given = [newContent, edit, deletes].filter((one) => one !== undefined).length;
  if (given === 1) return;
  throw new MemoryError(
    'invalid-input',
    `give one of newContent, edit and delete for an edit of a file: there are ${given}`,
  );
}

/** @throws MemoryError `edit-conflict` if the file is not what the request expects. */
function textAfter(
  { newContent, edit }: FileEditRequest,
  path: string,
  before: string | undefined,
): string | undefined {
  if (newContent !== undefined) return newContent;
  if (before === undefined) throw conflict(path, 'there is no such file');
  if (!edit) return undefined;
  const { old, new: next, all = false } = edit;
  const places = old === '' ? 0 : before.split(old).length - 1;
  if (places === 0) throw conflict(path, 'the text to replace is not in it');
  if (places > 1 && !all) {
    throw conflict(path, `the text to replace is in it ${places} times: give more of it, or 'all'`);
  }
  return before.split(old).join(next);
}

function conflict(path: string, why: string): MemoryError {
  return new MemoryError('edit-conflict', `cannot edit ${path}: ${why}`, { context: { path } });
}

/** Records the change of a file by another program: the intention before, the edit afterwards. */
export async function recordEdit(
  context: MemoryContext,
  request: RecordEditRequest,
): Promise<RecordedEdit> {
  checkOptions('recordEdit', request, RECORD_EDIT_REQUEST);
  const { session, path: given, reason, run, parent } = request;
  const { workspace } = await resolveSession(context, session);
  assertRealWorkspace(workspace);
  const path = await recordedPath(filePath(given, workspace), workspace);
  const before = await readText(path);
  const old = before === undefined ? {} : { old_content: before };
  const action = before === undefined ? 'create' : 'edit';
  const intention = await logIntention(
    context,
    session,
    { action, file_path: path, reason, ...old },
    parent,
  );
  let failure: { readonly error: unknown } | undefined;
  try {
    await run();
  } catch (error) {
    failure = { error };
  }
  const { after, problem } = await readAfterwards(path);
  const message = failure ? messageOf(failure.error) : problem;
  const edit = await logEdit(context, session, {
    action: problem === undefined ? actionOf(before, after) : action,
    file_path: path,
    ...old,
    ...(after === undefined ? {} : { new_content: after }),
    intention_event_id: intention.id,
    success: failure === undefined,
    ...(message === undefined ? {} : { error_message: message }),
  });
  if (failure) throw failure.error;
  return { intention, edit };
}

/** Reads the file after the edit; if it is not text, only that it was changed can be recorded. */
async function readAfterwards(
  path: string,
): Promise<{ readonly after?: string | undefined; readonly problem?: string }> {
  try {
    return { after: await readText(path) };
  } catch (error) {
    if (!MemoryError.isInstance(error)) throw error;
    return { problem: error.message };
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Returns the text of a file, or `undefined` if there is none.
 *
 * @throws MemoryError `invalid-text` if it is not UTF-8, `edit-conflict` if it is a folder.
 */
async function readText(path: string): Promise<string | undefined> {
  const stats = await stat(path).catch(() => undefined);
  if (stats && !stats.isFile()) {
    const what = stats.isDirectory() ? 'it is a folder' : 'it is no plain file';
    throw new MemoryError('edit-conflict', `cannot edit ${path}: ${what}`, { context: { path } });
  }
  const bytes = readPlainFile(path);
  if (!bytes) return undefined;
  try {
    return decoder.decode(bytes);
  } catch (cause) {
    throw new MemoryError(
      'invalid-text',
      `${path} is not UTF-8 text, so its edits cannot be kept`,
      {
        cause,
        context: { path },
      },
    );
  }
}

/**
 * Refuses to continue if a file is no longer what it was. It does not wait, so that what follows at once finds
 * the same file.
 *
 * @throws MemoryError `edit-conflict`.
 */
function assertUnchanged(path: string, before: string | undefined): void {
  const now = readPlainFile(path);
  const isSame =
    before === undefined || now === undefined
      ? before === now
      : now.equals(Buffer.from(before, 'utf8'));
  if (isSame) return;
  throw new MemoryError(
    'edit-conflict',
    `cannot edit ${path}: another process has changed it in the meantime; edit it again`,
    { context: { path } },
  );
}

/**
 * Replaces a file as a whole: a reader sees the old text or the new one, also after a crash.
 *
 * @param before - The text that it must hold until then.
 * @throws MemoryError `edit-conflict` if it holds something else.
 */
async function writeText(path: string, before: string | undefined, text: string): Promise<void> {
  await replaceFile(path, text, { beforeMove: () => assertUnchanged(path, before) });
}

/** Files share so few locks that each may keep a file of its own for ever. */
const LOCKS = 64;
const TIMEOUT_MS = 10_000;

/**
 * Keeps other processes that share the memory from editing a file until the lock is released.
 *
 * @throws MemoryError `edit-conflict` if another one holds it too long.
 */
async function lockFile({ lock }: MemoryContext, path: string): Promise<HeldLock> {
  // Paths are those of one machine, and a server may serve many.
  const hash = createHash('sha256').update(`${hostname()}\0${path}`).digest();
  try {
    return await lock(`memory-edit-${hash.readUInt32BE() % LOCKS}`, { timeoutMs: TIMEOUT_MS });
  } catch (error) {
    if (!StorageError.isInstance(error) || error.code !== 'lock-timeout') throw error;
    throw new MemoryError(
      'edit-conflict',
      `cannot edit ${path}: another process has been editing for more than ${TIMEOUT_MS} ms; try again`,
      { cause: error, context: { path } },
    );
  }
}

/** The last task of each name. */
const last = new Map<string, Promise<unknown>>();

/** Runs a task after all earlier ones of the same name in this process have succeeded or failed. */
async function oneAfterAnother<T>(name: string, task: () => Promise<T>): Promise<T> {
  const before = last.get(name) ?? Promise.resolve();
  const turn = before.then(task);
  const end = turn.catch(() => undefined);
  last.set(name, end);
  try {
    return await turn;
  } finally {
    if (last.get(name) === end) last.delete(name);
  }
}
