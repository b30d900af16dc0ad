import { attachmentKey, attachmentKeys, storeAttachment } from '../node/attachments.ts';
import type { Project } from '../project/project.ts';
import type { ReadyFlow } from './conversation.ts';

/** How many files are named; the rest is counted. */
const NAMED = 3;

/**
 * Stores the files that came with nodes and that the project lacks. A content that is not the one that
 * its path promises is left out.
 *
 * @param open - Gives a file that lies beside the flow, if there is one.
 * @returns What is missing then, as a warning.
 */
export async function keepAttachments(
  { files }: Project,
  { nodes, attachments }: ReadyFlow,
  open: (path: string) => Promise<Uint8Array | undefined> = async () => undefined,
): Promise<string[]> {
  const keys = attachmentKeys(nodes);
  if (keys.length === 0) return [];
  const known = new Set<string>();
  for await (const { key } of files.list('attachments/')) known.add(key);
  const missing: string[] = [];
  for (const key of keys) {
    if (known.has(key)) continue;
    const data = attachments.get(key) ?? (await open(key));
    if (data && attachmentKey(data) === key) await storeAttachment(files, data);
    else missing.push(data ? `${key} has another content than it says` : `${key} is not contained`);
  }
  if (missing.length === 0) return [];
  const more = missing.length > NAMED ? ` and ${missing.length - NAMED} more` : '';
  const named = missing.slice(0, NAMED).join(', ');
  return [`attached files were left out: ${named}${more}`];
}
