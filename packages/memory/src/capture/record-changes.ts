import type { JsonObject } from '@vizprompt/providers';
import { omitUndefined as defined } from '@vizprompt/providers/internal';
import type { FileChange } from '@vizprompt/providers/transcripts';
import { absolutePath, changedText, globalKey } from '@vizprompt/providers/transcripts/internal';
import type { CodeIntentionData, FileEditData } from '../model/event-data.ts';
import { callKey } from './keys.ts';
import type { OpenCall } from './reader-state.ts';
import type { Recording } from './recording.ts';

/** How a call that changes files ended. */
export interface ChangeOutcome {
  readonly success: boolean;
  readonly error: string;
  readonly timestamp: string | undefined;
}

/** Adds the intentions of a call, with the texts as far as they are known. */
export function announceChanges(
  recording: Recording,
  call: OpenCall,
  changes: readonly FileChange[],
  reason: string,
): readonly string[] {
  const id = globalKey(recording.origin, call.id);
  return changes.map((change, index) => {
    const path = absolutePath(change.path, call.cwd);
    const oldText = recording.files.get(path);
    const action = change.action === 'create' && oldText !== undefined ? 'edit' : change.action;
    const data: CodeIntentionData = {
      action,
      file_path: path,
      reason,
      ...texts(action, oldText, changedText(change, oldText)),
    };
    const key = callKey.intention(id, index);
    const { parent, timestamp } = call;
    recording.add({
      type: 'code_intention',
      key,
      data,
      meta: { ...call.meta, ...moved(change, call) },
      ...defined({ parent, timestamp }),
    });
    return key;
  });
}

/**
 * Adds the edits of a call that returned, and remembers the texts.
 *
 * @returns `true` if the texts before and afterwards of each file, or the diff, are known.
 */
export function finishChanges(
  recording: Recording,
  call: OpenCall,
  changes: readonly FileChange[],
  outcome: ChangeOutcome,
): boolean {
  const id = globalKey(recording.origin, call.id);
  let isWhole = true;
  for (const [index, change] of changes.entries()) {
    const { facts = {} } = change;
    const path = absolutePath(change.path, call.cwd);
    const oldText =
      facts.oldText === null ? undefined : (facts.oldText ?? recording.files.get(path));
    // Some say that a file was empty where there was none.
    const isNew = change.action === 'create' && (oldText ?? '') === '';
    const action = isNew ? 'create' : change.action === 'create' ? 'edit' : change.action;
    const newText = facts.newText ?? changedText(change, oldText);
    const lacksOld = action !== 'create' && oldText === undefined;
    const lacksNew = action !== 'delete' && newText === undefined;
    const lacks = lacksOld || lacksNew;
    if (lacks && facts.diff === undefined) isWhole = false;
    if (lacks && outcome.success) recording.counts.unknownTexts += 1;
    // The diff of two texts is made of them: programs write theirs for the eye.
    const diff = lacks ? facts.diff : undefined;
    const data: Omit<FileEditData, 'diff'> & { diff?: string } = {
      action,
      file_path: path,
      ...(outcome.success ? texts(action, oldText, newText) : {}),
      // Without the text before, a diff would show the whole file as new.
      ...(diff === undefined ? (lacks || !outcome.success ? { diff: '' } : {}) : { diff }),
      success: outcome.success,
      ...(outcome.success ? {} : { error_message: outcome.error }),
    };
    const intention = call.intentions?.[index];
    const { timestamp } = outcome;
    const links = defined({ intention, parent: intention ?? call.parent, timestamp });
    const isMoved = change.movedTo !== undefined && outcome.success;
    const meta: JsonObject = {
      ...call.meta,
      ...moved(change, call),
      ...(outcome.success && lacksOld ? { old_text: 'unknown' } : {}),
      ...(outcome.success && lacksNew ? { new_text: 'unknown' } : {}),
    };
    const { new_content: _new, ...left } = data;
    recording.add({
      type: 'file_edit',
      key: callKey.edit(id, index),
      data: isMoved ? { ...left, action: 'delete' } : data,
      meta,
      ...links,
    });
    if (isMoved) {
      const { moved_to: _to, ...rest } = meta;
      const { old_content: _old, ...arrived } = data;
      recording.add({
        type: 'file_edit',
        key: callKey.moved(id, index),
        data: { ...arrived, action: 'create', file_path: absolutePath(change.movedTo, call.cwd) },
        meta: { ...rest, moved_from: path },
        ...links,
      });
    }
    if (outcome.success) rememberText(recording, change, call, path, newText);
  }
  return isWhole;
}

function rememberText(
  recording: Recording,
  change: FileChange,
  call: OpenCall,
  path: string,
  newText: string | undefined,
): void {
  if (change.movedTo === undefined) recording.files.set(path, newText);
  else {
    recording.files.set(path, undefined);
    recording.files.set(absolutePath(change.movedTo, call.cwd), newText);
  }
}

function texts(
  action: CodeIntentionData['action'],
  oldText: string | undefined,
  newText: string | undefined,
): Pick<CodeIntentionData, 'old_content' | 'new_content'> {
  return defined({
    old_content: action === 'create' ? undefined : oldText,
    new_content: action === 'delete' ? undefined : newText,
  });
}

function moved(change: FileChange, call: OpenCall): { moved_to?: string } {
  return change.movedTo === undefined ? {} : { moved_to: absolutePath(change.movedTo, call.cwd) };
}
