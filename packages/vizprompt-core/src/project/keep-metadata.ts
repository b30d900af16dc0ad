import type { Statement } from '@vizprompt/providers';
import { formatTime } from './time.ts';
import {
  byId,
  INDEX_FILE,
  indexText,
  readKeywords,
  TAGS_FILE,
  tagsText,
  type NodeMetadata,
} from './metadata.ts';
import type { Project } from './project.ts';
import { readDerived } from './read-derived.ts';

/** The name under which the index remembers that the metadata files lag behind. */
export const METADATA_LAGS = 'metadata-lags';

/** Writes `tags.yaml` and `index.yaml`, where they are not what they should be. */
export async function writeMetadata(project: Project): Promise<void> {
  await project.write(() => writeMetadataLocked(project));
}

/**
 * Does what {@link writeMetadata} does, for a caller that holds the project lock.
 *
 * @returns The files that were written.
 */
export async function writeMetadataLocked(project: Project): Promise<readonly string[]> {
  const { index } = project;
  const nodes = await metadataNodes(project);
  const written = [
    ...(await writeDated(project, TAGS_FILE, tagsText(nodes))),
    ...(await writeDated(project, INDEX_FILE, indexText(nodes))),
  ];
  await index.database.batch([index.state.set(METADATA_LAGS, '')]);
  return written;
}

/**
 * What the metadata files say of nodes, in the order of the files. In a project that is shared it is
 * the order of the ids, which is the same for everybody, so that a merge needs no second look.
 */
export async function metadataNodes({ index, config }: Project): Promise<NodeMetadata[]> {
  const nodes = await index.nodes.metadata();
  return config.settings.sharing === 'git' ? nodes.toSorted(byId) : nodes;
}

/** The text of a metadata file without its first line, which says when it was written. */
export function undated(text: string): string | undefined {
  return /^updated: .*\n([^]*)$/.exec(text)?.[1];
}

/** A file whose date alone is no reason to write it. */
async function writeDated(
  { files, clock, index, config }: Project,
  key: string,
  text: string,
): Promise<string[]> {
  const stored = await readDerived(files, key);
  if (!stored && /^\w+: \{\}\n$/.test(text) && config.settings.sharing === 'git') return [];
  const isRight = stored !== null && undated(stored.text) === text;
  const dated = `updated: ${formatTime(clock())}\n${text}`;
  const { version } = isRight ? stored : await files.write(key, dated);
  await index.database.batch([index.state.set(key, version)]);
  return isRight ? [] : [key];
}

/** The statements that remember the metadata files as they are; none where they are known. */
export async function unseenMetadata({ files, index }: Project): Promise<readonly Statement[]> {
  const versions = new Map<string, string>();
  for await (const { key, version } of files.list('metadata/')) versions.set(key, version);
  const statements: Statement[] = [];
  for (const key of [TAGS_FILE, INDEX_FILE]) {
    const version = versions.get(key) ?? '';
    if (version !== ((await index.state.get(key)) ?? ''))
      statements.push(index.state.set(key, version));
  }
  return statements;
}

/** Keywords as `index.yaml` has them: they are nowhere else when the cache is gone. */
export async function loadKeywords({
  files,
}: Project): Promise<ReadonlyMap<string, readonly string[]>> {
  const stored = await readDerived(files, INDEX_FILE);
  try {
    return stored ? readKeywords(stored.text) : new Map();
  } catch {
    // A file that is derived and broken is written anew by the next build.
    return new Map();
  }
}

/** Takes over the keywords of `index.yaml`, unless those that the index has are on their way there. */
export async function adoptKeywords(project: Project): Promise<void> {
  const { nodes, database, state } = project.index;
  const isLagging = Boolean(await state.get(METADATA_LAGS));
  const keywords = await loadKeywords(project);
  if (keywords.size === 0) return;
  const rows = await nodes.rowsOf([...keywords.keys()]);
  const statements = rows
    .filter(({ id, keywords: known }) =>
      isLagging ? known === '[]' : known !== JSON.stringify(keywords.get(id) ?? []),
    )
    .flatMap((row) => nodes.setKeywords(row.row_id, keywords.get(row.id) ?? []));
  if (statements.length > 0) await database.batch(statements);
}
