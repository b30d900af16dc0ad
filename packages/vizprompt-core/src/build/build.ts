import type { ChatModel } from '@vizprompt/providers';
import PQueue from 'p-queue';
import { formatTime } from '../format/ids-and-times.ts';
import { type NodeRow, parseList } from '../index/node-index.ts';
import type { StoredNode, VizNode } from '../node/node.ts';
import { readStoredNode } from '../node/read-node-xml.ts';
import type { Project } from '../project/project.ts';
import { commit, type ProjectChanges } from '../write/commit.ts';
import { writeMetadata } from '../write/metadata-files.ts';
import type { BuildOptions } from '../method-options.ts';
import { modelSummarizer } from './summarize-by-model.ts';
import { type NodeDigest, offlineSummarizer, type Summarizer } from './summarize-offline.ts';
import { MAX_WORDS } from './shorten.ts';

/** A node that got no summary; it stays outdated. */
interface BuildFailure {
  readonly id: string;
  readonly error: unknown;
}

/** The result of a build. */
export interface BuildReport {
  readonly built: number;
  readonly failed: readonly BuildFailure[];
  /** Nodes that changed meanwhile; they stay outdated. */
  readonly postponed: number;
}

/** Nodes that are read at once. With a model each is written as soon as it is done. */
const BATCH = 64;

/** Makes the summaries, tags and keywords of all nodes whose summary is outdated. */
export async function build(
  project: Project,
  model: ChatModel | undefined,
  { concurrency = 4, signal, onProgress }: BuildOptions,
): Promise<BuildReport> {
  const rows = await project.index.nodes.outdated();
  const summarizer = summarizerOf(project, model);
  const queue = new PQueue({ concurrency: model ? concurrency : 1 });
  const failed: BuildFailure[] = [];
  let [built, postponed, done] = [0, 0, 0];

  const work = async (batch: readonly NodeRow[]): Promise<void> => {
    signal?.throwIfAborted();
    const digests = await digest(project, batch, summarizer, signal);
    const written = await save(project, digests.done);
    for (const failure of digests.failed) {
      failed.push(failure);
      project.events.emit('build:failed', failure);
    }
    built += written;
    postponed += digests.done.length - written;
    done += batch.length;
    const progress = { done, total: rows.length };
    project.events.emit('build:progress', progress);
    onProgress?.(progress);
  };
  const size = model ? 1 : BATCH;
  const batches = Array.from({ length: Math.ceil(rows.length / size) }, (_, at) =>
    rows.slice(at * size, (at + 1) * size),
  );
  try {
    await Promise.all(batches.map((batch) => queue.add(() => work(batch))));
  } catch (error) {
    queue.clear();
    await queue.onIdle();
    throw error;
  }
  await writeMetadata(project);
  return { built, failed, postponed };
}

/** Makes the summary of one node, outdated or not. */
export async function buildOne(
  project: Project,
  model: ChatModel | undefined,
  node: StoredNode,
): Promise<StoredNode> {
  const keywords = (await project.index.nodes.filed([node.file]))[0]?.keywords ?? [];
  const found = await summarizerOf(project, model)(node);
  const { changedNodes } = await project.write(() =>
    commit(project, { changedNodes: [withDigest(project, node, keywords, found)] }),
  );
  const built = changedNodes[0] ?? node;
  project.events.emit('node:updated', { node: built });
  return built;
}

function summarizerOf({ config }: Project, model: ChatModel | undefined): Summarizer {
  const { summaryTokenLimit: maxTokens } = config.settings;
  const limits = { maxWords: MAX_WORDS, ...(maxTokens === undefined ? {} : { maxTokens }) };
  return model ? modelSummarizer(model, limits) : offlineSummarizer(limits);
}

type ChangedNode = NonNullable<ProjectChanges['changedNodes']>[number];

async function digest(
  project: Project,
  rows: readonly NodeRow[],
  summarizer: Summarizer,
  signal: AbortSignal | undefined,
): Promise<{ done: ChangedNode[]; failed: BuildFailure[] }> {
  const done: ChangedNode[] = [];
  const failed: BuildFailure[] = [];
  for (const { id, file, keywords } of rows) {
    try {
      const node = await readStoredNode(project.files, file);
      if (!node || node.status === 'pending') continue;
      const found = await summarizer(node, signal);
      done.push(withDigest(project, node, parseList(keywords), found));
    } catch (error) {
      signal?.throwIfAborted();
      failed.push({ id, error });
    }
  }
  return { done, failed };
}

/** Tags that an earlier build found give way to the new ones; those set by hand stay. */
function withDigest(
  { clock }: Project,
  { file, version, ...node }: StoredNode,
  earlier: readonly string[],
  { summary, tags, keywords }: NodeDigest,
): ChangedNode {
  const own = node.tags.filter((tag) => !earlier.includes(tag));
  const changed: VizNode = {
    ...node,
    tags: [...new Set([...own, ...tags])],
    summary: { text: summary, isOutdated: false, lastBuilt: formatTime(clock()) },
  };
  return { file, version, node: changed, keywords };
}

/** Writes those nodes that have not changed since they were read. */
async function save(project: Project, changes: readonly ChangedNode[]): Promise<number> {
  if (changes.length === 0) return 0;
  return project.write(async () => {
    const current: ChangedNode[] = [];
    for (const change of changes) {
      const stored = await project.files.read(change.file);
      if (stored?.version === change.version) current.push(change);
    }
    const { changedNodes } = await commit(project, { changedNodes: current });
    for (const node of changedNodes) project.events.emit('node:updated', { node });
    return changedNodes.length;
  });
}
