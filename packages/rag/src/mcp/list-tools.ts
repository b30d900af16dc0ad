import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { pageOf } from '../project/page-of.ts';
import { CONTENTS, INSTRUCTIONS, SETTINGS } from './areas.ts';
import { fileList, limit, novelId, offset, projectList } from './schemas.ts';
import { READ_ONLY, type ToolHost } from './tool-host.ts';
import { runTool, toolResult } from './tool-result.ts';

/** `list_novel_projects` and the lists of files. */
export function addListTools(server: McpServer, { service, logger }: ToolHost): void {
  server.registerTool(
    'list_novel_projects',
    {
      title: 'List novel projects',
      description:
        'Lists the novel projects. Their ids (novelId) are what all other tools ask for.',
      inputSchema: z.strictObject({ offset, limit: limit(50, 200) }),
      outputSchema: projectList,
      annotations: READ_ONLY,
    },
    (page) => {
      return runTool({ logger }, async () => {
        const { items, ...rest } = pageOf(await service.listProjects(), page);
        const projects = items.map(({ id, metadata: _metadata, ...project }) => {
          return { novelId: id, ...project };
        });
        const lines = projects.map((project) => {
          const title = project.title === project.novelId ? '' : `: ${project.title}`;
          return `- ${project.novelId}${title}${project.problem ? ` (${project.problem})` : ''}`;
        });
        const text =
          rest.total === 0
            ? 'There are no projects yet: a project is a folder in the project root.'
            : [...lines, moreOf(rest)].join('\n');
        return toolResult(text.trim(), { projects, ...rest });
      });
    },
  );

  for (const { place, plural, about } of [SETTINGS, CONTENTS, INSTRUCTIONS]) {
    server.registerTool(
      `list_${plural}`,
      {
        title: `List ${plural.replaceAll('_', ' ')}`,
        description: `Lists the files of ${about}, each with its beginning. Read one with get_${plural}.`,
        inputSchema: z.strictObject({ novelId, offset, limit: limit(50, 200) }),
        outputSchema: fileList,
        annotations: READ_ONLY,
      },
      ({ novelId: id, ...page }) => {
        return runTool({ place, logger }, async () => {
          const { files, ...rest } = await service.list(id, place, page);
          const listed = files.map(({ path, ...file }) => ({ file: path, ...file }));
          const lines = listed.map(({ file, bytes, preview }) => {
            return `- ${file} (${bytes} bytes): ${preview}`;
          });
          const text = rest.total === 0 ? 'There are no files here yet.' : lines.join('\n');
          return toolResult(`${text}${moreOf(rest)}`, { files: listed, ...rest });
        });
      },
    );
  }
}

function moreOf({
  total,
  nextOffset,
}: {
  readonly total: number;
  readonly nextOffset?: number;
}): string {
  return nextOffset === undefined ? '' : `\n(of ${total}; the next page has offset ${nextOffset})`;
}
