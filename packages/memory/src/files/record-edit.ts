import { messageOf } from '@vizprompt/providers';
import { checkOptions } from '../check-values.ts';
import { MemoryError } from '../errors.ts';
import { filePath } from '../model/paths.ts';
import { assertRealWorkspace } from '../redact/stored-path.ts';
import type { MemoryContext } from '../store/memory-context.ts';
import { resolveSession } from '../store/session-rows.ts';
import { actionOf, logEdit, logIntention } from './edit-file.ts';
import { RECORD_EDIT_REQUEST, type RecordedEdit, type RecordEditRequest } from './edit-options.ts';
import { readText } from './file-text.ts';
import { recordedPath } from './resolve-file.ts';

/** Records what somebody else does to a file: the intention before, the edit afterwards. */
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

/** What the file holds now; if that is no text, only that it was changed can be kept. */
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
