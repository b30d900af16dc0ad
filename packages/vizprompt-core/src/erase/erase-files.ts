import { isUtf8 } from 'node:buffer';
import type { FileChange } from '@vizprompt/providers';
import { countSetAside, type Eraser, type Remainder } from '@vizprompt/providers/internal';
import { isOfKind, isProjectPlace } from '../format/layout.ts';
import { attachmentKey, keyOfHash } from '../node/attachments.ts';
import { readNodeXml } from '../node/parse-node-xml.ts';
import type { Project } from '../project/project.ts';
import {
  forgetChanges,
  readStack,
  readStep,
  stackChange,
  stepFile,
} from '../write/undo-history.ts';
import { saidBy } from './erase-node.ts';

/** The folder in which a repair sets files aside. */
export const LOST_AND_FOUND = 'lost+found/';

/** A stored file without the copies that it held. */
interface CleanedFile {
  readonly key: string;
  readonly content: string;
}

/** Finds the stored files that are text and hold copies of what the speaker said, and returns what replaces each. */
export async function* cleanedFiles(
  { files }: Project,
  keys: Iterable<string>,
  eraser: Eraser,
): AsyncGenerator<readonly [key: string, cleaned: CleanedFile]> {
  for (const key of keys) {
    const stored = await files.read(key);
    if (!stored || !isUtf8(stored.data)) continue;
    const text = textOf(stored.data);
    const content = eraser.clean(text);
    if (content !== text) yield [key, { key: attachmentKey(Buffer.from(content)), content }];
  }
}

/**
 * Returns the steps of the history that hold what the speaker said, or name a file that did. A step that cannot be read may
 * hold anything.
 */
export async function stepsWith(
  { files }: Project,
  eraser: Eraser,
  gone: ReadonlySet<string>,
): Promise<readonly string[]> {
  const { undo, redo } = await readStack(files);
  const found: string[] = [];
  for (const step of [...undo, ...redo]) {
    const content = await readStep(files, step).catch(() => undefined);
    const texts = content
      ? [...content.nodes, ...content.flows].flatMap(({ before, after }) => [before, after])
      : undefined;
    const keywords = content?.nodes.flatMap((node) => node.keywords) ?? [];
    if (!texts || holdsAny([...texts, ...keywords], eraser, gone)) found.push(step.id);
  }
  return found;
}

/** Returns the changes that take steps off the history, and delete files of steps that it does not know. */
export async function forgetSteps(
  { files }: Project,
  steps: readonly string[],
): Promise<readonly FileChange[]> {
  const stack = await readStack(files);
  const undo = stack.undo.filter(({ id }) => !steps.includes(id));
  const redo = stack.redo.filter(({ id }) => !steps.includes(id));
  const kept = new Set([...undo, ...redo].map(({ id }) => stepFile(id)));
  const all = await forgetChanges(files);
  const gone = all.filter(({ key }) => key.endsWith('.json.br') && !kept.has(key));
  return steps.length === 0 ? gone : [...gone, stackChange({ undo, redo })];
}

/** Returns the files that a repair set aside, and that hold what the speaker said, or name a file that did. */
export async function setAsideWith(
  { files }: Project,
  eraser: Eraser,
  gone: ReadonlySet<string>,
): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const { key } of files.list(LOST_AND_FOUND)) {
    if (!isProjectPlace(key)) continue;
    const stored = await files.read(key);
    if (stored && holdsAny([textOf(stored.data)], eraser, gone)) found.push(key);
  }
  return found.flatMap((key) => (key.endsWith('.txt') ? [key] : [key, `${key}.txt`]));
}

/** Files that cannot be understood: what they hold of the speaker is replaced as text. */
export async function brokenWith(
  project: Project,
  eraser: Eraser,
): Promise<{ readonly changes: readonly FileChange[]; readonly mentioning: number }> {
  const { files, index } = project;
  const changes: FileChange[] = [];
  let mentioning = 0;
  for (const file of [...(await index.nodes.broken()), ...(await index.flows.broken())]) {
    const stored = await files.read(file);
    if (!stored) continue;
    const text = Buffer.from(stored.data).toString('latin1');
    const decoded = textOf(stored.data);
    const isText = isUtf8(stored.data);
    const cleaned = isText ? eraser.clean(decoded) : text;
    if (isText && cleaned !== decoded) {
      changes.push({ key: file, content: cleaned, ifVersion: stored.version });
    }
    const isMentioned = eraser.isMentioned(isText ? cleaned : decoded);
    if (isMentioned || (await hasCopies(project, text, eraser))) mentioning++;
  }
  return { changes, mentioning };
}

/** Checks whether files that a broken file names hold copies: it must name the same ones when it is repaired. */
async function hasCopies(project: Project, text: string, eraser: Eraser): Promise<boolean> {
  const hashes = new Set(text.match(/(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])/g));
  const keys = [...hashes].map((hash) => keyOfHash(hash));
  const found = await cleanedFiles(project, keys, eraser).next();
  return found.done !== true;
}

/** Checks whether one of some texts, such as those of node files, holds what the speaker said or names the speaker. */
function holdsAny(
  texts: readonly (string | null)[],
  eraser: Eraser,
  gone: ReadonlySet<string>,
): boolean {
  const keys = [...gone];
  return texts.some((text) => {
    if (text === null) return false;
    if (keys.some((key) => text.includes(key))) return true;
    if (eraser.isMentioned(text) || eraser.clean(text) !== text) return true;
    try {
      const node = readNodeXml('', text);
      // Escapes of XML hide words from a search in the file.
      return (
        saidBy(node, eraser).isAny ||
        eraser.cleanJson(JSON.stringify(node)) !== JSON.stringify(node)
      );
    } catch {
      return false;
    }
  });
}

function textOf(data: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(data);
}

/** Returns the keys of stored files that no node names. A file that cannot be understood may name any of them. */
export async function orphanedAttachments(
  { files, index }: Project,
  named: ReadonlySet<string>,
): Promise<readonly string[]> {
  const broken: string[] = [];
  for (const file of await index.nodes.broken()) {
    const stored = await files.read(file);
    if (stored) broken.push(Buffer.from(stored.data).toString('latin1'));
  }
  const orphaned: string[] = [];
  for await (const { key } of files.list('attachments/')) {
    const hash = /^attachments\/[0-9a-f]{2}\/([0-9a-f]{64})$/.exec(key)?.[1];
    if (hash === undefined || named.has(key) || !isProjectPlace(key)) continue;
    if (!broken.some((text) => text.includes(hash))) orphaned.push(key);
  }
  return orphaned;
}

/** Returns the keys of all node files. */
export async function nodeFiles({ files }: Project): Promise<readonly string[]> {
  const keys: string[] = [];
  for await (const { key } of files.list('nodes/')) if (isOfKind('nodes', key)) keys.push(key);
  return keys;
}

/**
 * Lists the places that no call of a project reaches.
 *
 * @param folder - The folder of the project; absent on a storage of the caller.
 */
export function remainsOf({ storage }: Project, folder: string | undefined): readonly Remainder[] {
  const isOnServer = storage.database.dialect === 'postgres';
  const aside = folder === undefined ? 0 : countSetAside(folder);
  return [
    ...(aside > 0 ? [{ place: 'set-aside', count: aside } as const] : []),
    ...(isOnServer ? [{ place: 'database-log' } as const] : []),
    { place: 'git' },
    { place: 'backups' },
  ];
}
