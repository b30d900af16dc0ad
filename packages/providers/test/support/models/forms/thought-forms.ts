import { delta, line, lines, sse, type Form } from './form.ts';
import { DONE, of, ollama, openai, type Row } from './row.ts';

const stop = delta({}, 'stop');
const done = line({}, { done: true, done_reason: 'stop' });

const thought = (name: string, ...pieces: readonly string[]): readonly Row[] => {
  const expected = { text: 'answer', reasoning: 'thoughts', finish: 'stop' } as const;
  return [
    openai(name, sse(...pieces.map((content) => delta({ content })), stop, DONE), expected),
    ollama(name, lines(...pieces.map((content) => line({ content })), done), expected),
  ];
};

/** Thoughts in the text. */
const THOUGHTS: readonly Row[] = [
  ...thought('`<think>`', '<think>thoughts</think>answer'),
  ...thought(
    '`<think>`, cut anywhere',
    '<th',
    'ink',
    '>\ntho',
    'ughts\n</',
    'thi',
    'nk',
    '>\n\nans',
    'wer',
  ),
  ...thought('`<thinking>`', '<thinking>thoughts</thinking>\nanswer'),
  ...thought('`<thought>`', '<thought>\nthoughts\n</thought>\nanswer'),
  ...thought('`<THINK>`', '<THINK>thoughts</THINK>answer'),
  ...thought('`<reasoning>`', '<reasoning>thoughts</reasoning>answer'),
  ...thought('`<seed:think>`', '<seed:think>thoughts</seed:think>answer'),
  ...thought('`[THINK]` (Magistral)', '[THI', 'NK]thoughts[/THI', 'NK]answer'),
  ...thought('`◁think▷` (Kimi)', '◁think▷thoughts◁/think▷answer'),
  ...thought(
    '`<|channel|>` (gpt-oss)',
    '<|channel|>analysis<|message|>thoughts<|end|><|start|>assistant<|channel|>final<|mess',
    'age|>answer',
  ),
  ...thought(
    '`<|START_THINKING|>` (Cohere)',
    '<|START_THINKING|>thoughts<|END_THINKING|><|START_RESPONSE|>answer<|END_RESPONSE|>',
  ),
  ...thought(
    '`<|begin_of_thought|>`',
    '<|begin_of_thought|>thoughts<|end_of_thought|>\n\n<|begin_of_solution|>answer<|end_of_solution|>',
  ),
  ...thought('`</think>` alone', 'tho', 'ughts\n</th', 'ink>\n\nanswer'),
  openai('marks in a sentence', sse(delta({ content: 'Use `<think>draft</think>` so.' }), stop), {
    text: 'Use `<think>draft</think>` so.',
    reasoning: '',
  }),
  openai('marks in code', sse(delta({ content: 'So:\n```\n<think>\n```' }), stop), {
    text: 'So:\n```\n<think>\n```',
    reasoning: '',
  }),
  ...(
    [
      ['marks in a block of tildes', '~~~\n<think>x</think>\n~~~'],
      ['an end in a sentence', 'タグ</think>は閉じるタグです。'],
      ['an end in a block of code', '```xml\n</think>\n```\nok'],
    ] as const
  ).map(([name, text]) =>
    openai(name, sse(delta({ content: text }), stop), { text, reasoning: '' }),
  ),
  openai(
    'a thought after text, in one piece',
    sse(delta({ content: '<think>a</think>x\n<think>b</think>y' }), stop),
    {
      text: 'x\ny',
      reasoning: 'ab',
    },
  ),
  openai('`</think>` and はい', sse(delta({ content: '考えた</think>はい' }), stop), {
    text: 'はい',
    reasoning: '考えた',
  }),
  ...thought('`<unused94>` (MedGemma)', '<unused94>thought\nthoughts<unused95>answer'),
  openai(
    '`reasoning` in the content (Databricks)',
    sse(
      delta({ content: [{ type: 'reasoning', summary: [{ type: 'summary_text', text: 'r' }] }] }),
      delta({ content: [{ type: 'text', text: 'a' }] }),
      stop,
    ),
    { text: 'a', reasoning: 'r' },
  ),
  openai(
    '`</thought>` after thoughts of Gemini',
    sse(
      delta({ content: '<thought>r', extra_content: { google: { thought: true } } }),
      delta({ content: '</thought>a' }),
      stop,
    ),
    { text: 'a', reasoning: 'r' },
  ),
  ollama(
    '`reasoning_content`',
    lines(line({ reasoning_content: 'r' }), line({ content: 'a' }), done),
    {
      text: 'a',
      reasoning: 'r',
    },
  ),
  openai(
    'marks where thoughts came apart',
    sse(delta({ reasoning_content: 'r' }), delta({ content: '<think>a' }), stop),
    { text: '<think>a', reasoning: 'r' },
  ),
  openai(
    '`reasoning: { content }`',
    sse(delta({ reasoning: { content: 'r' } }), delta({ content: 'a' }), stop),
    { text: 'a', reasoning: 'r' },
  ),
  openai(
    'both names',
    sse(delta({ reasoning: 'r', reasoning_content: 'r' }), delta({ content: 'a' }), stop),
    { text: 'a', reasoning: 'r' },
  ),
  openai(
    'details alone (OpenRouter)',
    sse(
      delta({ reasoning_details: [{ type: 'reasoning.text', text: 'r', index: 0 }] }),
      delta({ content: 'a' }),
      stop,
    ),
    { text: 'a', reasoning: 'r' },
  ),
  openai(
    'details in pieces',
    sse(
      delta({
        reasoning: 'Let',
        reasoning_details: [{ type: 'reasoning.text', text: 'Let', index: 0 }],
      }),
      delta({
        reasoning: ' me',
        reasoning_details: [{ type: 'reasoning.text', text: ' me', index: 0 }],
      }),
      delta({ reasoning_details: [{ type: 'reasoning.text', signature: 'SIG', index: 0 }] }),
      delta({ content: 'a' }),
      stop,
    ),
    {
      reasoning: 'Let me',
      parts: [
        {
          type: 'reasoning',
          meta: {
            openai: {
              reasoning_details: [
                { type: 'reasoning.text', text: 'Let me', signature: 'SIG', index: 0 },
              ],
            },
          },
        },
        { type: 'text' },
      ],
    },
  ),
  openai(
    '`thinking_blocks` (LiteLLM)',
    sse(
      delta({ thinking_blocks: [{ type: 'thinking', thinking: 'th', signature: null }] }),
      delta({ thinking_blocks: [{ type: 'thinking', thinking: '', signature: 'SIG' }] }),
      delta({ content: 'a' }),
      stop,
    ),
    {
      reasoning: 'th',
      parts: [
        {
          type: 'reasoning',
          meta: {
            openai: { thinking_blocks: [{ type: 'thinking', thinking: 'th', signature: 'SIG' }] },
          },
        },
        { type: 'text' },
      ],
    },
  ),
  openai(
    'a list of thoughts (Mistral)',
    sse(
      delta({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'r' }] }] }),
      delta({ content: 'a' }),
      stop,
    ),
    { text: 'a', reasoning: 'r' },
  ),
];

export const THOUGHT_FORMS: readonly Form[] = of('thoughts', THOUGHTS);
