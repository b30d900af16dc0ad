import type { Table } from '../page/table.ts';

export const providersTables: readonly Table[] = [
  {
    name: 'providers',
    columns: [
      { head: 'OpenAI', figures: '*_openai' },
      { head: 'Gemini', figures: '*_gemini' },
      { head: 'Ollama', figures: '*_ollama' },
    ],
    rows: [
      {
        name: 'stream_overhead_ratio',
        what: 'a stream, processor time, ours ÷ the bare SDK',
        wanted: { atMost: 1.1 },
      },
      { name: 'stream_wall_ratio', what: 'the same, by the clock' },
      { name: 'stream_cpu_us_per_chunk', what: 'of it, for each chunk', unit: 'µs' },
      { name: 'stream_noise', what: 'how much the bare SDK differs from itself' },
      {
        name: 'call_overhead_ratio',
        what: 'a short call: limits, a client of its own, checked lines',
      },
      {
        name: 'frame_ratio',
        what: 'a frame of 16 MB ÷ 16 frames of 1 MB, processor time',
        wanted: { atMost: 1.5 },
      },
      {
        name: 'frame_growth',
        what: 'a frame of 64 MB ÷ one of 8 MB: 8 is linear, 64 square',
        wanted: { atMost: 12 },
      },
      { name: 'frame_cpu_ms', what: 'of it, the frame of 16 MB', unit: 'ms' },
    ],
  },
  {
    name: 'providers-imports',
    columns: [
      { head: 'time, ms', figures: 'import_ms_*' },
      { head: 'memory, MB', figures: 'rss_mb_*' },
    ],
    rows: [
      { name: 'root', what: '`@vizprompt/providers`', wanted: { atMost: 40 } },
      { name: 'openai', what: 'without its SDK' },
      { name: 'gemini', what: 'without its SDK' },
      { name: 'ollama', what: 'without its SDK' },
      { name: 'registry', what: '' },
      { name: 'generate', what: '' },
      { name: 'middleware', what: '' },
      { name: 'ai_sdk', what: '' },
    ],
  },
];

export const staticTables: readonly Table[] = [
  {
    name: 'providers-static',
    columns: [
      { head: '256', figures: '*_256' },
      { head: '512', figures: '*_512' },
      { head: '1024', figures: '*_1024' },
    ],
    rows: [
      {
        name: 'sentences_per_s',
        what: 'sentences of 40 characters a second, of one core',
        wanted: { atLeast: 5000 },
      },
      { name: 'open_ms', what: 'opening the folder', unit: 'ms' },
    ],
  },
];
