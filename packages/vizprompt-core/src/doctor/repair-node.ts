import { messageOf, type StoredFile } from '@vizprompt/providers';
import { conflictSides } from '../format/merge-conflict.ts';
import { readNodeXml } from '../node/read-node-xml.ts';
import { illegalIn, writeNodeXml } from '../node/write-node-xml.ts';
import type { Outcome } from './outcome.ts';

/** Repairs a node file; `undefined` if there is nothing to repair. */
export function repairNode(file: string, stored: StoredFile): Outcome | undefined {
  const problem = problemIn(file, () => stored.text);
  const sides = problem === 'no text' ? undefined : conflictSides(stored.text);
  if (!sides && problem === undefined) return mended(file, stored.text);
  if (!sides) return { content: null, setAside: problem ?? '' };
  const { ours, theirs } = sides;
  const [oursProblem, theirsProblem] = [ours, theirs].map((side) => problemIn(file, () => side));
  if (oursProblem !== undefined && theirsProblem !== undefined) {
    return {
      content: null,
      setAside: `a merge of git, of which no side is a node: ${oursProblem}`,
    };
  }
  if (oursProblem !== undefined || theirsProblem !== undefined) {
    const content = oursProblem === undefined ? ours : theirs;
    const which = `a merge of git, of which one side is no node: ${oursProblem ?? theirsProblem}`;
    return { content, setAside: which };
  }
  const newNodes = ours === theirs ? [] : [theirs];
  // Marks in a node that is whole may have been said.
  const isDoubtful = problem === undefined || sides.isAmbiguous;
  const doubt =
    'git left its marks in it, unless they are what was said: it was taken apart at them';
  return { content: ours, newNodes, ...(isDoubtful ? { setAside: doubt } : {}) };
}

function mended(file: string, text: string): Outcome | undefined {
  return illegalIn(text) && { content: writeNodeXml(readNodeXml(file, text)) };
}

function problemIn(file: string, text: () => string): string | undefined {
  let read: string;
  try {
    read = text();
  } catch {
    return 'no text';
  }
  try {
    readNodeXml(file, read);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}
