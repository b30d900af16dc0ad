import { candidate, delta, sse, type Form } from './form.ts';
import { gemini, of, openai, type Row } from './row.ts';

const stop = delta({}, 'stop');
const url = 'https://example.com/a';
const site = { url, title: 't' } as const;
const source = { parts: [{ type: 'text' }, { type: 'source', ...site }] } as const;
const png = { type: 'file', mediaType: 'image/png' } as const;
const PNG = 'iVBORw0KGgo=';

/** Chunks of gateways with sources, as the delta and as the rest of the chunk. */
const SOURCES: readonly (readonly [name: string, delta: object, chunk?: object])[] = [
  ['`search_info` (DashScope, Hunyuan)', {}, { search_info: { search_results: [site] } }],
  ['`references` (Doubao)', {}, { references: [site] }],
  ['`context` (Azure)', { context: { citations: [{ content: 'c', ...site }], intent: '[]' } }],
  ['one annotation, no list', { annotations: { type: 'url_citation', url_citation: site } }],
  ['`sources` of citations (Cohere)', { citations: [{ start: 0, sources: [{ document: site }] }] }],
  [
    '`vertex_ai_grounding_metadata` (LiteLLM)',
    {},
    {
      vertex_ai_grounding_metadata: [{ groundingChunks: [{ web: { uri: url, title: 't' } }] }],
    },
  ],
  [
    '`citation` (LiteLLM)',
    { provider_specific_fields: { citation: { cited_text: 'c', ...site } } },
  ],
  [
    '`web_search_results` (LiteLLM)',
    { provider_specific_fields: { web_search_results: [{ content: [site] }] } },
  ],
  [
    '`extra_content` (Gemini)',
    { extra_content: { google: { grounding_metadata: { grounding_chunks: [{ web: site }] } } } },
  ],
];

const PICTURES: readonly (readonly [name: string, picture: object])[] = [
  ['`inline_data`', { inline_data: { mime_type: 'image/png', data: PNG } }],
  ['`source`', { source: { type: 'base64', media_type: 'image/png', data: PNG } }],
];

const CONTENT: readonly Row[] = [
  ...SOURCES.map(([name, fields, chunk = {}]) =>
    openai(name, sse({ ...delta({ content: 'see', ...fields }), ...chunk }, stop), source),
  ),
  openai(
    '`tool_reference` (Mistral)',
    sse(
      delta({
        content: [
          { type: 'text', text: 'see' },
          { type: 'tool_reference', ...site },
        ],
      }),
      stop,
    ),
    source,
  ),
  ...PICTURES.map(([name, picture]) =>
    openai(name, sse(delta({ content: [{ type: 'image', ...picture }] }), stop), { parts: [png] }),
  ),
  openai(
    '`file_citation` without an address',
    sse(
      delta({
        content: 'see',
        annotations: [{ type: 'file_citation', file_citation: { file_id: 'f', index: 1 } }],
      }),
      stop,
    ),
    { parts: [{ type: 'text' }, { type: 'source', title: 'f' }] },
  ),
  openai(
    '`images` of a chunk, repeated (Perplexity)',
    sse(
      { ...delta({ content: 'see' }), images: [{ image_url: `${url}.png` }] },
      { ...stop, images: [{ image_url: `${url}.png` }] },
    ),
    { parts: [{ type: 'file' }, { type: 'text' }] },
  ),
  openai(
    'a refusal in the content',
    sse(delta({ content: [{ type: 'refusal', refusal: 'no' }] }), stop),
    {
      text: 'no',
      finish: 'content-filter',
    },
  ),
  openai(
    'a call that the server ran (Zhipu)',
    sse(
      delta({
        tool_calls: [{ id: 'c', type: 'code_interpreter', code_interpreter: { input: '1' } }],
      }),
      delta({ content: 'a' }),
      stop,
    ),
    { text: 'a', finish: 'stop', parts: [{ type: 'text' }] },
  ),
  gemini(
    '`groundingMetadata` over several chunks',
    sse(
      candidate([{ text: 'a' }], undefined, {
        groundingMetadata: { groundingChunks: [{ web: { uri: url, title: 't' } }] },
      }),
      candidate([{ text: 'b' }], 'STOP', { groundingMetadata: { searchEntryPoint: {} } }),
    ),
    { text: 'ab', ...source },
  ),
];

export const GATEWAY_CONTENT: readonly Form[] = of('content of all kinds', CONTENT);
