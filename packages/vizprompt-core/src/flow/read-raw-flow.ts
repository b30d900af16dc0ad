import type { FlowFile } from './flow-file.ts';
import { parseFlowYaml } from './parse-flow-yaml.ts';
import type { RawFlow } from './raw-flow.ts';
import { scanFlowYaml } from './scan-flow-yaml.ts';

/** What a flow file says, whether it makes sense or not. */
export interface RawFlowFile extends Pick<FlowFile, 'document' | 'withIds'> {
  readonly raw: RawFlow;
}

/**
 * Reads what a flow file says.
 *
 * @param file - The key of the file, for errors.
 * @param isLenient - Whether numbers that are none count as missing.
 * @throws VizPromptError with the code `flow-invalid` if it is no YAML of that form.
 */
export function readRawFlow(file: string, text: string, isLenient = false): RawFlowFile {
  const scanned = scanFlowYaml(file, text);
  if (scanned) return { raw: scanned, withIds: usesIds(scanned) };
  const { raw, document } = parseFlowYaml(file, text, isLenient);
  return { raw, withIds: usesIds(raw), document };
}

function usesIds({ connections }: RawFlow): boolean {
  return connections.some(({ fromId, toId }) => fromId !== undefined || toId !== undefined);
}
