import type { Statement } from '@vizprompt/providers';
import {
  FLOW_MAP,
  flowMapLine,
  flowMapText,
  hasSameLines,
  NODE_MAP,
  nodeMapLine,
  nodeMapText,
  type FlowMapEntry,
  type NodeMapLine,
} from './maps.ts';
import type { Project } from './project.ts';
import { readDerived } from './read-derived.ts';

/** Adds new files to the maps; the statements by which the index knows the maps. */
export async function appendToMaps(
  { files, index }: Project,
  nodes: readonly NodeMapLine[],
  flows: readonly FlowMapEntry[],
): Promise<Statement[]> {
  const lines = [
    [NODE_MAP, nodes.map(nodeMapLine).join('')],
    [FLOW_MAP, flows.map(flowMapLine).join('')],
  ] as const;
  const statements: Statement[] = [];
  for (const [map, text] of lines) {
    if (text === '') continue;
    const { version } = await files.append(map, text, { durable: false });
    statements.push(index.state.set(map, version));
  }
  return statements;
}

/** Writes both maps anew, if they are not what they should be. */
export async function writeMaps(project: Project): Promise<readonly string[]> {
  const { files, index } = project;
  const texts: Record<string, string> = {
    [NODE_MAP]: nodeMapText(await index.nodes.mapEntries()),
    [FLOW_MAP]: flowMapText(await index.flows.mapEntries()),
  };
  const written: string[] = [];
  for (const [map, text] of Object.entries(texts)) {
    const stored = await readDerived(files, map);
    const isRight = stored !== null && isSameMap(stored.data, text, project);
    const { version } = isRight ? stored : await files.write(map, text);
    await index.database.batch([index.state.set(map, version)]);
    if (!isRight) written.push(map);
  }
  return written;
}

function isSameMap(data: Uint8Array, text: string, { config }: Project): boolean {
  if (Buffer.compare(data, Buffer.from(text)) === 0) return true;
  return config.settings.sharing === 'git' && hasSameLines(Buffer.from(data).toString(), text);
}

/** Whether the maps are those that were written last. */
export async function areMapsKnown({ files, index }: Project): Promise<boolean> {
  const versions = new Map<string, string>();
  for await (const { key, version } of files.list('metadata/')) versions.set(key, version);
  for (const map of [NODE_MAP, FLOW_MAP]) {
    if (versions.get(map) !== (await index.state.get(map))) return false;
  }
  return versions.has(NODE_MAP) && versions.has(FLOW_MAP);
}
