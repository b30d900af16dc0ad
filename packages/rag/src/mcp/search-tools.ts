import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { SearchHit, SearchResults } from '../backends/search-backend.ts';
import { CONTENTS, SETTINGS, toolsOf } from './areas.ts';
import { limit, novelId, offset, searchResults } from './schemas.ts';
import { READ_ONLY, type ToolHost } from './tool-host.ts';
import { runTool, toolResult } from './tool-result.ts';
import { withProgress } from './with-progress.ts';

const query = z
  .string()
  .min(1)
  .describe(
    'A question or words in natural language, in any language. Optional: "an exact phrase", +must, -not, /regular expression/',
  );
const files = z
  .array(z.string().min(1))
  .optional()
  .describe('Only these files, folders (ending in /) or globs');

/** How many hits the searches of a server give. */
export interface SearchLimits {
  readonly defaultK: number;
  readonly maxK: number;
}

/** `search_novel_settings` and `search_novel_content`. */
export function addSearchTools(
  server: McpServer,
  { service, logger }: ToolHost,
  { defaultK, maxK }: SearchLimits,
): void {
  for (const { place, plural, about } of [SETTINGS, CONTENTS]) {
    server.registerTool(
      `search_${plural}`,
      {
        title: `Search ${plural.replaceAll('_', ' ')}`,
        description: `Searches ${about}. Gives the passages that answer best, each with its file and lines; get_${plural} reads around them.`,
        inputSchema: z.strictObject({
          novelId,
          query,
          files,
          offset,
          limit: limit(defaultK, maxK),
        }),
        outputSchema: searchResults,
        annotations: READ_ONLY,
      },
      ({ novelId: id, query: text, files: patterns, offset: from, limit: k }, context) => {
        return runTool({ place, logger }, async () => {
          const options = { area: place, k, offset: from, signal: context.mcpReq.signal };
          const results = await withProgress(service, id, context, () => {
            return service.search(id, text, patterns ? { ...options, files: patterns } : options);
          });
          const other = place === 'settings' ? CONTENTS : SETTINGS;
          return describe(results, from, `search_${other.plural}`, toolsOf(place).list);
        });
      },
    );
  }
}

function describe(
  { hits, total, hint, degraded }: SearchResults,
  passedOver: number,
  otherSearch: string,
  list: string,
): ReturnType<typeof toolResult> {
  const next = passedOver + hits.length;
  const rest = next < total && hits.length > 0 ? { total, nextOffset: next } : { total };
  const advice =
    total > 0
      ? undefined
      : [hint, `Try other words, ${otherSearch}, or ${list} to see what there is.`]
          .filter((part) => part !== undefined)
          .join(' ');
  const data = {
    hits: hits.map(hitOf),
    ...rest,
    ...(degraded === undefined ? {} : { degraded }),
    ...(advice === undefined ? {} : { hint: advice }),
  };
  const found = hits.map(
    ({ payload: { file, start, end }, headingPath, content }) =>
      `## ${file}, lines ${start}-${end}${headingPath.length > 0 ? ` (${headingPath.join(' › ')})` : ''}\n\n${content}`,
  );
  const head = total === 0 ? `Nothing was found. ${advice}` : `${total} passages match.`;
  const more = 'nextOffset' in rest ? [`(further passages have offset ${next})`] : [];
  return toolResult([head, ...found, ...more].join('\n\n'), data);
}

function hitOf({ payload, headingPath, score, snippet, content }: SearchHit): object {
  const { file, start: startLine, end: endLine } = payload;
  return { file, startLine, endLine, headings: headingPath, score, snippet, text: content };
}
