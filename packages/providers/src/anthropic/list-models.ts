import { readCapabilities } from '../adapter-kit/model-record.ts';
import type { Wire } from '../adapter-kit/wire.ts';
import { fieldsOf, jsonOf, listOf, numberOf, stringOf, type Fields } from '../json/fields.ts';
import { omitUndefined } from '../json/omit-undefined.ts';
import type { ModelInfo } from '../models/model-info.ts';
import { traitsOf } from './model-traits.ts';
import { clientFor, type ResolvedAnthropic } from './options.ts';

/** More pages would be a server that gives the same one for ever. */
const MAX_PAGES = 100;

/** Lists the models of the server, page by page, with what the server reports and their names imply. */
export async function listModels(
  connection: ResolvedAnthropic,
  wire: Wire,
): Promise<readonly ModelInfo[]> {
  const client = await clientFor(connection, wire);
  const models: ModelInfo[] = [];
  let after: string | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const query = { limit: 1000, ...(after === undefined ? {} : { after_id: after }) };
    const answer: unknown = await client.get('/v1/models', { query, signal: wire.signal });
    const { data, has_more: hasMore, last_id: last } = fieldsOf(answer);
    models.push(...listOf(data).flatMap((record) => infoOf(fieldsOf(record))));
    if (hasMore !== true || typeof last !== 'string' || last === after) break;
    after = last;
  }
  return models;
}

function infoOf(record: Fields): ModelInfo[] {
  const id = stringOf(record['id']);
  if (id === undefined) return [];
  const name = stringOf(record['display_name']);
  return [
    {
      id,
      ...(name && name !== id ? { name } : {}),
      capabilities: {
        ...traitsOf(id).capabilities,
        ...readCapabilities(record),
        ...omitUndefined({ maxOutputTokens: numberOf(record['max_tokens']) }),
      },
      raw: jsonOf(record),
    },
  ];
}
