import { checkedFlowFile, type FlowFile } from './flow-file.ts';
import { scanRawFlow } from './scan-flow-yaml.ts';

/**
 * Reads the text of a flow file, and loads the YAML parser only for one that was not written by this package.
 *
 * @param file - The key of the file, for errors.
 * @throws VizPromptError with the code `flow-invalid`.
 */
export async function readFlow(file: string, text: string): Promise<FlowFile> {
  return (await flowReader(file, text))();
}

/** Returns the function that reads a flow file, with its parser loaded: it fails only for what is in the file. */
export async function flowReader(file: string, text: string): Promise<() => FlowFile> {
  const scanned = scanRawFlow(file, text);
  if (scanned) return () => checkedFlowFile(file, scanned);
  const { readFlowFile } = await import('./flow-document.ts');
  return () => readFlowFile(file, text);
}
