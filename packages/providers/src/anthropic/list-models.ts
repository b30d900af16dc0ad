import type { HttpFailure } from '../adapter-kit/http-failure.ts';
import { readCapabilities } from '../adapter-kit/model-record.ts';
import type { Wire } from '../adapter-kit/wire.ts';
import { LruMap } from '../collections/lru-map.ts';
import {
  type Fields,
  fieldsOf,
  jsonOf,
  listOf,
  numberOf,
  omitUndefined,
  stringOf,
} from '../json/fields.ts';
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

/** Maximum tokens of an answer, from the errors of servers, by server and model. */
const known = new LruMap<string, number>(1000);

/** Returns the limit that a server reported. */
export function knownTokenLimit(key: string): number | undefined {
  return known.get(key);
}

/**
 * Reads the maximum tokens of an answer from a refusal. A limit of the model is cached; a limit that depends on the
 * prompt applies to that prompt only.
 *
 * Sources: `max_tokens: 128000 > 64000, which is the maximum allowed number of output tokens for …` and `input length and
 * `max_tokens` exceed context limit: 190000 + 64000 > 200000` (Anthropic), `The maximum tokens you requested exceeds the
 * model limit of 8192` (Bedrock), `'max_tokens' … is too large: 16384. This model's maximum context length is 4096 tokens
 * and your request has 10 input tokens` (vLLM), `max_tokens must be less than or equal to 8192` (DeepSeek, Moonshot),
 * `Invalid max_tokens value, the valid range of max_tokens is [1, 8192]` (DeepSeek).
 */
export function readTokenLimit(
  key: string,
  { text }: HttpFailure,
  sent: number,
): number | undefined {
  const beside = besidePrompt(text);
  const limit = beside ?? ofModel(text);
  if (limit === undefined || limit < 1 || limit >= sent) return undefined;
  if (beside === undefined) known.set(key, limit);
  return limit;
}

function besidePrompt(text: string): number | undefined {
  const [, input, , window] = /(?<!\d)(\d+) \+ (\d+) > (\d+)/.exec(text) ?? [];
  if (input !== undefined && window !== undefined) return Number(window) - Number(input);
  const [, context, prompt] =
    /maximum context length is (\d+) tokens[^.]{0,40}?(?:request has|requested|messages? ha(?:s|ve)) (\d+) (?:input )?tokens/i.exec(
      text,
    ) ?? [];
  return context === undefined || !/max_(?:completion_)?tokens/.test(text)
    ? undefined
    : Number(context) - Number(prompt);
}

function ofModel(text: string): number | undefined {
  if (!/max_tokens|max_completion_tokens|maximum tokens|output tokens/i.test(text))
    return undefined;
  const [, told] =
    /\d > (\d+), which is the maximum/.exec(text) ??
    /(?:limit(?: of| is)?|at most|maximum(?: value)?(?: of| is)?|(?:less than or equal to|<=|lower than|not exceed|up to)|between \d+ and|\[\d+, ?) ?(\d{2,})/i.exec(
      text,
    ) ??
    [];
  return told === undefined ? undefined : Number(told);
}
