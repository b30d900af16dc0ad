/**
 * The names of the OpenTelemetry semantic conventions for generative AI, version 1.41.0
 * (https://github.com/open-telemetry/semantic-conventions/blob/v1.41.0/docs/gen-ai/), as they are in
 * `@opentelemetry/semantic-conventions` 1.45. All have the status "Development", and later versions
 * (https://github.com/open-telemetry/semantic-conventions-genai) rename some: so they are copied
 * here, and change only with this file.
 */
export const ATTRIBUTE = {
  operation: 'gen_ai.operation.name',
  provider: 'gen_ai.provider.name',
  outputType: 'gen_ai.output.type',
  errorType: 'error.type',
  tokenType: 'gen_ai.token.type',

  requestModel: 'gen_ai.request.model',
  maxTokens: 'gen_ai.request.max_tokens',
  temperature: 'gen_ai.request.temperature',
  topP: 'gen_ai.request.top_p',
  topK: 'gen_ai.request.top_k',
  stopSequences: 'gen_ai.request.stop_sequences',
  seed: 'gen_ai.request.seed',
  stream: 'gen_ai.request.stream',

  responseId: 'gen_ai.response.id',
  responseModel: 'gen_ai.response.model',
  finishReasons: 'gen_ai.response.finish_reasons',
  /** In seconds. */
  timeToFirstChunk: 'gen_ai.response.time_to_first_chunk',

  inputTokens: 'gen_ai.usage.input_tokens',
  outputTokens: 'gen_ai.usage.output_tokens',
  cacheReadTokens: 'gen_ai.usage.cache_read.input_tokens',
  cacheCreationTokens: 'gen_ai.usage.cache_creation.input_tokens',
  reasoningTokens: 'gen_ai.usage.reasoning.output_tokens',

  systemInstructions: 'gen_ai.system_instructions',
  inputMessages: 'gen_ai.input.messages',
  outputMessages: 'gen_ai.output.messages',
  toolDefinitions: 'gen_ai.tool.definitions',
} as const;

/** How a histogram is made. */
export interface MetricDefinition {
  readonly name: string;
  readonly description: string;
  readonly unit: string;
  readonly buckets: readonly number[];
}

/** The histograms, with the buckets that the conventions advise. */
export const METRIC: { readonly duration: MetricDefinition; readonly tokens: MetricDefinition } = {
  duration: {
    name: 'gen_ai.client.operation.duration',
    description: 'GenAI operation duration.',
    unit: 's',
    buckets: Array.from({ length: 14 }, (_, power) => 2 ** power / 100),
  },
  tokens: {
    name: 'gen_ai.client.token.usage',
    description: 'Number of input and output tokens used.',
    unit: '{token}',
    buckets: Array.from({ length: 14 }, (_, power) => 4 ** power),
  },
};

/** The convention's words for providers, where they differ from those in use here. */
const PROVIDERS: Readonly<Record<string, string>> = {
  'amazon-bedrock': 'aws.bedrock',
  azure: 'azure.ai.openai',
  gemini: 'gcp.gemini',
  google: 'gcp.gemini',
  mistral: 'mistral_ai',
  vertex: 'gcp.vertex_ai',
  xai: 'x_ai',
};

/** Returns the convention's word for a provider; its own name where there is none. */
export function providerName(provider: string): string {
  return PROVIDERS[provider] ?? provider;
}
