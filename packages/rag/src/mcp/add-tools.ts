import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { CONTENTS, SETTINGS } from './file-areas.ts';
import { novelId, writtenFile, WRITES, type ToolHost, toolInput } from './tool-input.ts';
import { runTool, toolResult } from './tool-result.ts';

const content = z.string().describe('The whole text of the file, at most 10 MB');
const overwrite = z
  .boolean()
  .default(false)
  .describe('Whether a file of this name may be replaced');

/** `add_novel_setting` and `add_novel_content`. */
export function addWriteTools(server: McpServer, { service, logger }: ToolHost): void {
  const tools = [
    { ...SETTINGS, name: 'add_novel_setting' },
    { ...CONTENTS, name: 'add_novel_content' },
  ];
  for (const { name, place, about } of tools) {
    const file = z
      .string()
      .min(1)
      .describe(`The path of the new file, such as ${place}/名前.md; it ends in .md or .txt`);
    server.registerTool(
      name,
      {
        title: name.replaceAll('_', ' '),
        description: `Writes a file into ${about}. A file that is there stays, unless overwrite is true. Searches find the new text at once.`,
        inputSchema: toolInput({ novelId, file, content, overwrite }),
        outputSchema: writtenFile,
        annotations: WRITES,
      },
      ({ novelId: id, file: path, content: text, overwrite: mayReplace }) => {
        return runTool({ place, logger }, async () => {
          const written = await service.add(id, place, path, text, { overwrite: mayReplace });
          // Who is told of lists that changed is no part of whether the file was written.
          await server.server.sendResourceListChanged().catch(() => undefined);
          const { bytes, created } = written;
          const verb = created ? 'written' : 'replaced';
          return toolResult(`${written.path} was ${verb} (${bytes} bytes).`, {
            file: written.path,
            bytes,
            created,
          });
        });
      },
    );
  }
}
