import { candidate, delta, line, lines, sse, type Form } from './form.ts';
import { gemini, of, ollama, openai, type Row } from './row.ts';

const stop = delta({}, 'stop');
const done = line({}, { done: true, done_reason: 'stop' });
const PNG = 'iVBORw0KGgo=';
const url = 'https://example.com/a';

/** Content of all kinds. */
const CONTENT: readonly Row[] = [
  openai(
    '`images` (OpenRouter)',
    sse(
      delta({
        content: '',
        images: [{ type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}` } }],
      }),
      stop,
    ),
    { parts: [{ type: 'file', mediaType: 'image/png' }] },
  ),
  openai(
    'a picture by its address',
    sse(delta({ images: [{ image_url: { url: `${url}.png` } }] }), stop),
    { parts: [{ type: 'file' }] },
  ),
  openai(
    'a picture in the content',
    sse(
      delta({
        content: [
          { type: 'text', text: 'see' },
          { type: 'image', b64_json: PNG },
        ],
      }),
      stop,
    ),
    { text: 'see', parts: [{ type: 'text' }, { type: 'file', mediaType: 'image/png' }] },
  ),
  openai(
    'sound',
    sse(
      delta({ audio: { id: 'a', data: 'AAAA', transcript: 'hel' } }),
      delta({ audio: { data: 'AAAA', transcript: 'lo' } }),
      stop,
    ),
    { text: 'hello', parts: [{ type: 'text' }, { type: 'file', mediaType: 'audio/pcm' }] },
  ),
  openai(
    '`annotations`',
    sse(
      delta({
        content: 'see',
        annotations: [{ type: 'url_citation', url_citation: { url, title: 't' } }],
      }),
      stop,
    ),
    { parts: [{ type: 'text' }, { type: 'source', url, title: 't' }] },
  ),
  openai(
    '`citations` (Perplexity)',
    sse({ ...delta({ content: 'see[1]' }), citations: [url] }, { ...stop, citations: [url] }),
    { parts: [{ type: 'text' }, { type: 'source', url }] },
  ),
  openai(
    '`search_results`',
    sse({ ...delta({ content: 'see' }), search_results: [{ url, title: 't' }] }, stop),
    { parts: [{ type: 'text' }, { type: 'source', url, title: 't' }] },
  ),
  openai(
    '`web_search` (Zhipu)',
    sse(
      { ...delta({ content: 'see' }), web_search: [{ link: url, title: 't', content: 'c' }] },
      stop,
    ),
    { parts: [{ type: 'text' }, { type: 'source', url, title: 't', text: 'c' }] },
  ),
  openai(
    '`executed_tools` (Groq)',
    sse(
      delta({ executed_tools: [{ index: 0, type: 'search', arguments: '{}', output: 'found' }] }),
      delta({ content: 'a' }),
      stop,
    ),
    {
      text: 'a',
      finish: 'stop',
      parts: [
        { type: 'tool-call', name: 'search' },
        { type: 'tool-result', output: 'found' },
        { type: 'text' },
      ],
    },
  ),
  openai(
    'a list of texts',
    sse(
      delta({
        content: [
          { type: 'text', text: 'li' },
          { type: 'text', text: 'st' },
        ],
      }),
      stop,
    ),
    { text: 'list' },
  ),
  openai('a refusal', sse(delta({ refusal: "I can't" }), stop), {
    text: "I can't",
    finish: 'content-filter',
  }),
  openai(
    '`x_groq`, filter results',
    sse(
      { choices: [], prompt_filter_results: [{}] },
      delta({ content: 'a' }),
      { choices: [{ index: 0, finish_reason: null, content_filter_offsets: {} }] },
      stop,
    ),
    { text: 'a', finish: 'stop' },
  ),
  gemini(
    '`groundingMetadata`',
    sse(
      candidate([{ text: 'a' }], 'STOP', {
        groundingMetadata: { groundingChunks: [{ web: { uri: url, title: 't' } }] },
      }),
    ),
    { text: 'a', parts: [{ type: 'text' }, { type: 'source', url, title: 't' }] },
  ),
  gemini(
    '`citationMetadata`',
    sse(
      candidate([{ text: 'a' }], 'STOP', { citationMetadata: { citationSources: [{ uri: url }] } }),
    ),
    { parts: [{ type: 'text' }, { type: 'source', url }] },
  ),
  gemini(
    '`urlContextMetadata`',
    sse(
      candidate([{ text: 'a' }], 'STOP', {
        urlContextMetadata: { urlMetadata: [{ retrievedUrl: url }] },
      }),
    ),
    { parts: [{ type: 'text' }, { type: 'source', url }] },
  ),
  gemini(
    '`toolCall` and `toolResponse`',
    sse(
      candidate(
        [
          { toolCall: { toolType: 'GOOGLE_SEARCH', args: { q: 'x' }, id: 'z' } },
          { toolResponse: { toolType: 'GOOGLE_SEARCH', response: { a: 1 }, id: 'z' } },
          { text: 'a' },
        ],
        'STOP',
      ),
    ),
    {
      text: 'a',
      finish: 'stop',
      parts: [
        { type: 'tool-call', id: 'z', name: 'google_search' },
        { type: 'tool-result', id: 'z', output: { a: 1 } },
        { type: 'text' },
      ],
    },
  ),
  gemini(
    '`executableCode`',
    sse(
      candidate(
        [
          { executableCode: { code: '1' } },
          { codeExecutionResult: { output: '1' } },
          { text: 'a' },
        ],
        'STOP',
      ),
    ),
    {
      finish: 'stop',
      parts: [
        { type: 'tool-call', name: 'code_execution' },
        { type: 'tool-result' },
        { type: 'text' },
      ],
    },
  ),
  gemini(
    '`fileData`',
    sse(candidate([{ fileData: { mimeType: 'image/png', fileUri: `${url}.png` } }], 'STOP')),
    { parts: [{ type: 'file', mediaType: 'image/png' }] },
  ),
  gemini(
    '`inlineData`',
    sse(candidate([{ inlineData: { mimeType: 'image/png', data: PNG } }], 'STOP')),
    { parts: [{ type: 'file', mediaType: 'image/png' }] },
  ),
  gemini(
    'arguments in pieces',
    sse(
      candidate([
        {
          functionCall: {
            name: 'f',
            id: '1',
            partialArgs: [{ jsonPath: '$.x', stringValue: 'a' }],
            willContinue: true,
          },
        },
      ]),
      candidate(
        [
          {
            functionCall: {
              partialArgs: [
                { jsonPath: '$.x', stringValue: 'b' },
                { jsonPath: '$.y[0].z', numberValue: 2 },
              ],
            },
          },
        ],
        'STOP',
      ),
    ),
    {
      finish: 'tool-calls',
      parts: [{ type: 'tool-call', name: 'f', input: { x: 'ab', y: [{ z: 2 }] } }],
    },
  ),
  ollama('`images`', lines(line({ images: [PNG] }), done), {
    parts: [{ type: 'file', mediaType: 'image/png' }],
  }),
];

export const CONTENT_FORMS: readonly Form[] = of('content of all kinds', CONTENT);
