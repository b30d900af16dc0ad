import type { LLMErrorCode } from '@vizprompt/providers';

/** A server, its status, the type of its error, and its sentence. */
type WordRow = readonly [server: string, status: number, type: string, sentence: string];

const INVALID = 'invalid_request_error';

/** Sentences of Anthropic and of servers that speak its protocol, as they are documented or reported, by what they mean. */
export const MESSAGES_WORDS: Readonly<Partial<Record<LLMErrorCode, readonly WordRow[]>>> = {
  context_length: [
    ['Anthropic', 400, INVALID, 'prompt is too long: 213462 tokens > 200000 maximum'],
    ['Anthropic, the request', 413, 'request_too_large', 'Request exceeds the maximum size'],
    ['Bedrock', 400, INVALID, 'Input is too long for requested model.'],
    ['Vertex', 400, INVALID, 'Prompt is too long'],
    [
      'vLLM',
      400,
      'BadRequestError',
      "This model's maximum context length is 4096 tokens. However, your messages resulted in 5000 tokens.",
    ],
    ['Moonshot', 400, INVALID, 'Invalid request: Your request exceeded model token limit: 131072'],
  ],
  rate_limit: [
    [
      'Anthropic, requests',
      429,
      'rate_limit_error',
      'This request would exceed the rate limit for your organization of 50 requests per minute.',
    ],
    [
      'Anthropic, tokens',
      429,
      'rate_limit_error',
      "This request would exceed your organization's rate limit of 30,000 input tokens per minute.",
    ],
    [
      'Anthropic, acceleration',
      429,
      'rate_limit_error',
      'Number of concurrent connections has exceeded your rate limit. Please try again later.',
    ],
    [
      'Vertex',
      429,
      'rate_limit_error',
      'Quota exceeded for aiplatform.googleapis.com/online_prediction_requests_per_base_model per minute',
    ],
  ],
  quota: [
    [
      'Anthropic, credit',
      400,
      INVALID,
      'Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.',
    ],
    [
      'Anthropic, billing',
      402,
      'billing_error',
      'There is an issue with your billing or payment information.',
    ],
    [
      'Anthropic, spend limit',
      400,
      INVALID,
      'You have reached your specified API usage limits. You will regain access on 2026-12-01 at 00:00 UTC.',
    ],
    [
      'Zhipu',
      429,
      'rate_limit_error',
      'Insufficient balance or no resource package. Please recharge.',
    ],
  ],
  overloaded: [
    ['Anthropic', 529, 'overloaded_error', 'Overloaded'],
    ['Anthropic, behind a gateway', 500, 'overloaded_error', 'Overloaded'],
    ['Anthropic, 503', 503, 'overloaded_error', 'The service is temporarily overloaded'],
  ],
  server: [
    ['Anthropic', 500, 'api_error', 'Internal server error'],
    ['Anthropic, an error without a name', 502, 'api_error', 'Bad gateway'],
  ],
  timeout: [
    ['Anthropic', 504, 'timeout_error', 'The request timed out while processing.'],
    ['a proxy', 524, 'api_error', 'A timeout occurred'],
  ],
  auth: [
    ['Anthropic', 401, 'authentication_error', 'invalid x-api-key'],
    [
      'Anthropic, a token',
      401,
      'authentication_error',
      'OAuth token has expired. Please obtain a new token or refresh your existing token.',
    ],
    ['Anthropic, none', 401, 'authentication_error', 'x-api-key header is required'],
  ],
  permission: [
    [
      'Anthropic',
      403,
      'permission_error',
      'Your API key does not have permission to use the specified resource.',
    ],
    ['Anthropic, the region', 403, 'forbidden', 'Request not allowed'],
  ],
  not_found: [
    ['Anthropic', 404, 'not_found_error', 'model: claude-9'],
    ['LM Studio', 404, 'not_found_error', 'Model "m" not found. Please load it first.'],
  ],
  content_filter: [
    ['Anthropic', 400, INVALID, 'Output blocked by content filtering policy'],
    [
      'Moonshot',
      400,
      'content_filter',
      'The request was rejected because it was considered high risk',
    ],
  ],
  unsupported: [
    [
      'Anthropic, prefill',
      400,
      INVALID,
      'This model does not support assistant message prefill. The conversation must end with a user message.',
    ],
    [
      'Anthropic, a schema of a tool',
      400,
      INVALID,
      'tools.0.custom.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level',
    ],
  ],
  invalid_request: [
    [
      'Anthropic, results',
      400,
      INVALID,
      'messages.2: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_1. Each `tool_use` block must have a corresponding `tool_result` block in the next message.',
    ],
    [
      'Anthropic, an image',
      400,
      INVALID,
      'messages.0.content.1.image.source.base64: image exceeds 5 MB maximum: 5411364 bytes > 5242880 bytes',
    ],
    [
      'Anthropic, marks',
      400,
      INVALID,
      'A maximum of 4 blocks with cache_control may be provided. Found 5.',
    ],
    ['Anthropic, names', 400, INVALID, 'tools: Tool names must be unique.'],
  ],
};
