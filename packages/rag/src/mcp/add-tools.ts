import type { McpServer } from '@modelcontextprotocol/server';
import { described, NONEMPTY, TEXT, wireInput } from '@vizprompt/providers/config/internal';
import { WRITE_FILE_OPTIONS } from '../files/file-operations-service.ts';
import { NOVEL_ID, projectOf, writtenFile, WRITES, type ToolHost } from './tool-input.ts';
import { CONTENTS, runTool, SETTINGS, toolResult } from './tool-result.ts';

const CONTENT = described(TEXT, { en: 'The whole text of the file, at most 10 MB' });

/** `add_novel_setting` and `add_novel_content`. */
export function addWriteTools(server: McpServer, { service, logger }: ToolHost): void {
  const tools = [
    { ...SETTINGS, name: 'add_novel_setting' },
    { ...CONTENTS, name: 'add_novel_content' },
  ];
  for (const { name, place, about } of tools) {
    const en = `The path of the new file, such as ${place}/名前.md; it ends in .md or .txt`;
    const input = wireInput({
      novelId: NOVEL_ID,
      file: described(NONEMPTY, { en }),
      content: CONTENT,
      ...WRITE_FILE_OPTIONS,
    });
    server.registerTool(
      name,
      {
        title: name.replaceAll('_', ' '),
        description: `Writes a file into ${about}. A file that is there stays, unless overwrite is true. Searches find the new text at once.`,
        inputSchema: input,
        outputSchema: writtenFile,
        annotations: WRITES,
      },
      ({ novelId, file: path, content, ...options }) => {
        return runTool({ place, logger }, async () => {
          const id = await projectOf(service, novelId);
          const written = await service.add(id, place, path, content, options);
          // The notification about changed lists has no influence on whether the file was written.
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
