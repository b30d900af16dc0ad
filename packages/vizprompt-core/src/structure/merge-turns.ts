import { offlineSummarizer } from '../build/summarize-offline.ts';
import { MAX_WORDS } from '../build/summarizer.ts';
import { normalizeLabel, parseList } from '../index/node-index.ts';
import type { StoredNode } from '../node/node.ts';
import { readStoredNode } from '../node/read-node.ts';
import type { Project } from '../project/project.ts';
import type { MergeTurn } from './merge-proposal.ts';

/** A turn with the words that it can be compared by. */
export interface LabelledTurn extends MergeTurn {
  /** Tags and keywords, by their normal form. */
  readonly labels: ReadonlyMap<string, string>;
  /** Reads the whole node. */
  read(): Promise<StoredNode | undefined>;
}

/** What the index knows of nodes; only those without a summary are read. A node without a file is left out. */
export async function readTurns(
  { index, files }: Project,
  ids: readonly string[],
): Promise<LabelledTurn[]> {
  const rows = new Map((await index.nodes.rowsOf(ids)).map((row) => [row.id, row]));
  const summarize = offlineSummarizer({ maxWords: MAX_WORDS });
  const turns: LabelledTurn[] = [];
  for (const id of ids) {
    const row = rows.get(id);
    if (!row) continue;
    const read = (): Promise<StoredNode | undefined> => readStoredNode(files, row.file);
    let labels = [...parseList(row.tags), ...parseList(row.keywords)];
    let { summary } = row;
    if (summary === '') {
      const found = await summarize((await read()) ?? { prompt: row.title, response: '' });
      ({ summary } = found);
      labels = [...labels, ...found.keywords];
    }
    const named = labels.map((label): [string, string] => [normalizeLabel(label), label]);
    turns.push({ id, title: row.title, summary, labels: new Map(named), read });
  }
  return turns;
}

/** A turn as a proposal shows it. */
export function shownTurn({ id, title, summary }: MergeTurn): MergeTurn {
  return { id, title, summary };
}
