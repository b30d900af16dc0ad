import type { FileStore } from '@vizprompt/providers';
import { VizPromptError } from '../errors.ts';
import { attachmentKeys } from '../node/attachments.ts';
import type { NodePart, StoredNode, VizNode } from '../node/node.ts';
import type { Project } from '../project/project.ts';
import { restoreDataUrl } from '../thread/data-urls.ts';
import type { FlowView } from './flow-view.ts';

/** Returns a flow and its nodes with all that they hold, and the files that go with them. */
export function toJson(
  { flow, labels }: FlowView,
  nodes: ReadonlyMap<string, StoredNode>,
  attachments: readonly EmbeddedAttachment[],
): string {
  const exported = {
    format: 'vizprompt-flow',
    version: 1,
    flow,
    nodes: [...nodes.values()].map(({ file: _file, version: _version, ...node }) => {
      const keywords = labels.get(node.id)?.keywords ?? [];
      return keywords.length > 0 ? { ...node, keywords } : node;
    }),
    ...(attachments.length > 0 ? { attachments } : {}),
  };
  return `${JSON.stringify(exported, null, 2)}\n`;
}

/** A file of the project within a JSON document. */
export interface EmbeddedAttachment {
  /** The path by which nodes name it. */
  readonly path: string;
  /** Its bytes, by Base64. */
  readonly data: string;
}

/** Bytes of all attachments that one document may contain. */
const MAX_EMBEDDED_BYTES = 64_000_000;

/**
 * Returns the files that nodes hold, in the order of their paths. Those that are gone are omitted.
 *
 * @throws VizPromptError with the code `invalid-input` if they are larger than
 * {@link MAX_EMBEDDED_BYTES} together.
 */
export async function embedAttachments(
  { files }: Project,
  nodes: Iterable<VizNode>,
): Promise<readonly EmbeddedAttachment[]> {
  const sizes = await sizesOf(files, attachmentKeys(nodes));
  const embedded: EmbeddedAttachment[] = [];
  for (const path of sizes.keys()) {
    const stored = await files.read(path);
    if (stored) embedded.push({ path, data: Buffer.from(stored.data).toString('base64') });
  }
  return embedded;
}

/** Returns nodes whose files are in them as `data:` URLs, under the same limit. */
export async function embedInNodes(
  { files }: Project,
  nodes: ReadonlyMap<string, StoredNode>,
): Promise<ReadonlyMap<string, StoredNode>> {
  const sizes = await sizesOf(files, attachmentKeys(nodes.values()));
  if (sizes.size === 0) return nodes;
  const embed = (parts: readonly NodePart[]): Promise<NodePart[]> =>
    Promise.all(
      parts.map(async (part) => (part.type === 'file' ? restoreDataUrl(files, part) : part)),
    );
  const embedded = new Map<string, StoredNode>();
  for (const [id, node] of nodes) {
    const promptParts = await embed(node.promptParts);
    embedded.set(id, { ...node, promptParts, responseParts: await embed(node.responseParts) });
  }
  return embedded;
}

/** Returns the sizes of the files that are there, in the order of their paths. */
async function sizesOf(
  files: FileStore,
  keys: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (keys.length === 0) return new Map();
  const sizes = new Map<string, number>();
  for await (const { key, size } of files.list('attachments/')) sizes.set(key, size);
  const bytes = keys.reduce((sum, key) => sum + (sizes.get(key) ?? 0), 0);
  if (bytes > MAX_EMBEDDED_BYTES) {
    throw new VizPromptError(
      'invalid-input',
      `the attachments of the flow have ${bytes} bytes, and a document holds ${MAX_EMBEDDED_BYTES} at most: ` +
        "export with attachments: 'omit', and copy the folder attachments/",
      { context: { bytes, limit: MAX_EMBEDDED_BYTES } },
    );
  }
  return new Map(keys.filter((key) => sizes.has(key)).map((key) => [key, sizes.get(key) ?? 0]));
}
