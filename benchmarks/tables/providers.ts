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
