import { formatTime } from './time.ts';
import { INDEX_FILE, indexText, readKeywords, TAGS_FILE, tagsText } from './metadata.ts';
import type { Project } from './project.ts';

/** The name under which the index remembers that the metadata files lag behind. */
export const METADATA_LAGS = 'metadata-lags';

/** Writes `tags.yaml` and `index.yaml`, where they are not what they should be. */
export async function writeMetadata(project: Project): Promise<void> {
  const { index } = project;
  await project.write(async () => {
    const nodes = await index.nodes.metadata();
    await writeDated(project, TAGS_FILE, tagsText(nodes));
    await writeDated(project, INDEX_FILE, indexText(nodes));
    await index.database.batch([index.state.set(METADATA_LAGS, '')]);
  });
}

/** A file whose date alone is no reason to write it. */
async function writeDated({ files, clock }: Project, key: string, text: string): Promise<void> {
  const stored = await files.read(key);
  const [, rest] = /^updated: .*\n([^]*)$/.exec(stored?.text ?? '') ?? [];
  if (rest !== text) await files.write(key, `updated: ${formatTime(clock())}\n${text}`);
}

/** Keywords as `index.yaml` has them: they are nowhere else when the cache is gone. */
export async function loadKeywords({
  files,
}: Project): Promise<ReadonlyMap<string, readonly string[]>> {
  const stored = await files.read(INDEX_FILE);
  try {
    return stored ? readKeywords(stored.text) : new Map();
  } catch {
    // A file that is derived and broken is written anew by the next build.
    return new Map();
  }
}
