import type { McpServer } from '@modelcontextprotocol/server';
import { wireInput } from '@vizprompt/providers/config/internal';
import type { NovelText } from '../project/novel-repository.ts';
import { TEXT_REQUEST } from '../project/read-texts.ts';
import { limit, NOVEL_ID, projectOf, texts, READ_ONLY, type ToolHost } from './tool-input.ts';
import {
  CONTENTS,
  emptyPage,
  INSTRUCTIONS,
  linesText,
  MAX_TEXT_CHARACTERS,
  NO_FILES,
  runTool,
  SETTINGS,
  toolResult,
} from './tool-result.ts';

const { maxCharacters: _max, limit: _limit, ...TEXT_FIELDS } = TEXT_REQUEST;
const INPUT = wireInput({ novelId: NOVEL_ID, ...TEXT_FIELDS, limit: limit(20, 200) });

/** Adds the tools that return the text of files. */
export function addGetTools(server: McpServer, { service, logger }: ToolHost): void {
  for (const { place, plural, about } of [SETTINGS, CONTENTS, INSTRUCTIONS]) {
    server.registerTool(
      `get_${plural}`,
      {
        title: `Read ${plural.replaceAll('_', ' ')}`,
        description: `Gives the text of ${about}: of one file, of some lines of it, or of all files.`,
        inputSchema: INPUT,
        outputSchema: texts,
        annotations: READ_ONLY,
      },
      ({ novelId, ...request }) => {
        return runTool({ place, logger }, async () => {
          const id = await projectOf(service, novelId);
          const { files, ...rest } = await service.read(id, place, {
            ...request,
            maxCharacters: MAX_TEXT_CHARACTERS,
          });
          const read = files.map(({ path, ...text }) => ({ file: path, ...text }));
          const more =
            rest.nextOffset === undefined
              ? []
              : [`(of ${rest.total} files; continue with offset ${rest.nextOffset})`];
          const parts = files.length === 0 ? [emptyPage(rest.total, NO_FILES)] : files.map(render);
          return toolResult([...parts, ...more].join('\n\n'), { files: read, ...rest });
        });
      },
    );
  }
}

function render(text: NovelText): string {
  const { path, totalLines, nextLine, nextColumn, problem } = text;
  if (problem !== undefined) return `## ${path}\n\n(it cannot be read: ${problem})`;
  const from = text.startColumn === undefined ? '' : `, from column ${text.startColumn}`;
  const head = `## ${path} (${linesText(text.startLine, text.endLine)} of ${totalLines}${from})`;
  const next = `continue with file ${path}, startLine ${nextLine}`;
  const more =
    nextColumn === undefined
      ? `\n(cut for length; ${next})`
      : `\n(line ${nextLine} is too long and was cut; ${next}, startColumn ${nextColumn})`;
  return `${head}\n\n${text.text}${nextLine === undefined ? '' : more}`;
}
