import { defineConfig } from 'tsup';
import { shared } from '../../tsup.shared.ts';

export default defineConfig({
  ...shared,
  entry: [
    'index',
    'internal',
    'ai-sdk/index',
    'config/index',
    'config/internal',
    'gemini/index',
    'generate/index',
    'middleware/index',
    'node/index',
    'ollama/index',
    'openai/index',
    'otel/index',
    'pgvector/index',
    'postgres/index',
    'qdrant/index',
    'quantized/index',
    'registry/index',
    'serving/index',
    'serving/internal',
    'sqlite-vec/index',
    'testing/index',
    'text/index',
    'transcripts/index',
    'transcripts/internal',
    'trust/index',
    'trust/internal',
  ].map((entry) => `src/${entry}.ts`),
});
