import type { WordTable } from './word-table.ts';

/** More sentences of servers, and those that say nearly the same of something else. */
export const NEWER_WORDS: WordTable = {
  context_length: [
    [
      'a server',
      400,
      'Your prompt has 210000 tokens which is more than the model can take (200000).',
    ],
    ['a server, n_ctx', 500, 'The number of tokens in the prompt exceeds n_ctx'],
    ['a server, input', 422, 'Number of input tokens (9000) must be less than 8192'],
    ['a server in China', 400, '上下文长度超过限制'],
    ['a server in Japan', 400, '入力が長すぎます。最大トークン数は8192です。'],

    ['llama.cpp, full', 400, 'context shift is disabled'],
    ['Baidu, characters', 400, 'the max input characters is 20000', { code: '336007' }],
    ['Hunyuan', 400, '输入内容超过模型最大长度'],
    ['Nebius', 400, "Prompt too big for model's context"],
    ['MLX', 400, 'Prompt length 9000 exceeds max_kv_size 8192'],
    ['Snowflake', 400, 'max tokens of 4096 exceeded'],
    [
      'Gemini, payload',
      400,
      'Request payload size exceeds the limit: 20971520 bytes. Please use the File API',
      {},
      'gemini',
    ],
  ],
  quota: [
    ['a gateway', 429, 'You have no remaining credits'],
    ['a gateway, time', 400, 'Trial credits expired'],
    ['a gateway, plan', 403, 'Subscription expired, please renew'],

    ['OpenRouter, a limit of the key', 403, 'Key limit exceeded (total limit). Manage it'],
    ['Cloudflare', 429, 'you have used up your daily free allocation of 10,000 neurons'],
    ['Cohere', 429, 'You are using a Trial key, which is limited to 1000 API calls / month.'],
    ['GitHub Models', 429, 'Rate limit of 50 per 86400s exceeded for UserByModelByDay.'],
    ['Copilot', 429, 'You have exceeded your Copilot token usage', { code: 'quota_exceeded' }],
    ['xAI, new', 403, "Your newly created team doesn't have any credits yet."],
    ['SiliconFlow', 403, 'Sorry, your account balance is insufficient', { code: 30_001 }],
    ['Volcengine', 403, 'Your account has an overdue balance.', { code: 'AccountOverdueError' }],
    ['Volcengine, paused', 429, 'The model is paused', { code: 'SetLimitExceeded' }],
    ['Hunyuan', 429, '当前账号资源包余量已用尽'],
    ['LiteLLM, a user', 400, 'ExceededBudget: User=x over budget. Spend=1.2, Budget=1.0'],
    ['Claude, a plan', 400, "You're out of extra usage. Add more at claude.ai/settings/usage"],
  ],
  rate_limit: [
    [
      'OpenAI, advice',
      429,
      'Rate limit reached on tokens per min (TPM): Limit 200000. Upgrade your plan.',
    ],

    [
      'Cohere, a minute',
      429,
      'You are using a Trial key, which is limited to 20 API calls / minute.',
    ],
    ['GitHub Models, a minute', 429, 'Rate limit of 10 per 60s exceeded for UserByModelByMinute.'],
    ['a quota of a minute', 429, 'Too many tokens per minute', { code: 'quota_exceeded' }],
    [
      'OpenAI, a new account',
      429,
      'Rate limit reached on requests per min (RPM): Limit 3. You can increase it by adding a payment method.',
    ],
  ],
  overloaded: [
    ['Cloudflare', 429, 'Capacity temporarily exceeded, please try again.'],
    ['one-api', 429, '当前分组上游负载已饱和，请稍后再试'],
  ],
  content_filter: [
    ['a gateway', 422, 'Potentially unsafe content detected in prompt'],

    ['Hunyuan', 400, '文本内容违规'],
    ['SiliconFlow', 451, 'The content is illegal'],
    ['Cohere', 400, 'blocked output: please adjust your prompt and try again'],
    [
      'Anthropic, usage',
      400,
      'Unable to respond to this request, which appears to violate our Usage Policy',
    ],
  ],
  auth: [
    ['a gateway', 400, 'Missing Authorization header'],
    ['a server in China', 400, 'API Key 无效'],

    ['Gemini, a leaked key', 403, 'Your API key was reported as leaked.', {}, 'gemini'],
    ['MiniMax', 400, 'login fail: Please carry the API secret key', { code: '1004' }],
  ],
  permission: [['for legal reasons', 451, 'Unavailable For Legal Reasons']],
  not_found: [
    ['a gateway', 400, "model_id 'x' is not valid"],
    ['a gateway, deployment', 400, 'No such deployment'],

    [
      'Groq, old',
      400,
      'The model `llama-3.1-70b` has been decommissioned and is no longer supported.',
    ],
    ['Together', 400, 'Unable to access non-serverless model x.', { code: 'model_not_available' }],
    ['Bedrock', 400, 'The provided model identifier is invalid.'],
    ['a name with dots', 400, 'Model qwen2.5-7b.q4 not found in the catalogue'],
  ],
  unsupported: [
    ['llama.cpp, images', 500, 'image input is not supported - hint: provide the mmproj'],
  ],
  output_parse: [
    [
      'Groq, JSON',
      400,
      'Failed to validate JSON. See failed_generation.',
      { code: 'json_validate_failed' },
    ],
  ],
  invalid_request: [
    ['a name like a limit', 400, "Duplicate tool names: 'rate_limit_check'"],
    ['pictures in China', 400, '输入图片数量超过限制'],

    [
      'an id that is too long',
      400,
      "Invalid 'messages[2].tool_calls[0].id': string too long. Expected a string with maximum length 40",
      { code: 'string_above_max_length' },
    ],
    [
      'Groq, the answer',
      400,
      '`max_tokens` must be less than or equal to `8192`, the maximum value is less than the `context_window` for this model',
    ],
    [
      'Fireworks, the answer',
      400,
      'max_tokens 50000 exceeds the model maximum output tokens limit of 16384',
    ],
    ['a field that is unavailable', 400, 'The `user` field is unavailable for this model'],
  ],
};
