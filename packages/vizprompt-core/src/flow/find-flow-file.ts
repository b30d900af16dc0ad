import type { Project } from '../project/project.ts';
import { readFlowFile, type FlowFile } from './flow-file.ts';

/** A flow with the file that it was read from. */
export interface FoundFlow extends FlowFile {
  readonly file: string;
  readonly version: string;
}

/** Reads the flow with an id as its file has it now; `undefined` if there is none. */
export async function findFlowFile(
  { index, files }: Project,
  id: string,
): Promise<FoundFlow | undefined> {
  const [file] = await index.flows.find(id);
  const stored = file === undefined ? null : await files.read(file);
  if (file === undefined || !stored) return undefined;
  return { ...readFlowFile(file, stored.text), file, version: stored.version };
}
