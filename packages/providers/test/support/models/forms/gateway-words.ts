import type { WordTable } from './word-table.ts';

/** Sentences of hosts and gateways of 2026, and those that say nearly the same of something else. */
export const GATEWAY_WORDS: WordTable = {
  context_length: [
    ['iFlytek', 400, 'tokens is more than max tokens', { code: '10907' }],
    ['llama.cpp, a batch', 500, 'input (600 tokens) is too large to process'],
  ],
  quota: [
    ['AWS, a day', 429, 'Too many tokens per day, please wait before trying again.'],
    [
      'xAI, licenses',
      403,
      "Your newly created team doesn't have any licenses yet. You can purchase licenses there",
    ],
    [
      'Claude, long prompts',
      429,
      'Extra usage is required for long context requests.',
      { type: 'rate_limit_error' },
    ],
    [
      'Ollama cloud, unpaid',
      403,
      'your subscription payment is past due. update your payment method',
      {},
      'ollama',
    ],
  ],
  rate_limit: [
    ['MiniMax, tokens', 400, 'token limit', { code: 1039 }],
    ['MiniMax, connections', 400, 'conn limit', { code: 1041 }],
  ],
  overloaded: [
    [
      'NVIDIA NIM',
      400,
      "Function id '87ea0ddc-cff1-4bca-bf8b-3bd98a35ddd0': DEGRADED function cannot be invoked",
    ],
    ['MiniMax', 500, '当前服务集群负载较高，请稍后重试 (2064)'],
  ],
  auth: [
    ['AWS, a token', 403, 'The security token included in the request is expired'],
    ['AWS, another', 403, 'The security token included in the request is invalid.'],
  ],
  permission: [
    ['Groq', 400, 'Organization has been restricted. Please reach out to support'],
    ['Anthropic, disabled', 400, 'This organization has been disabled.'],
    [
      'Groq, terms',
      400,
      'The model `x` requires terms acceptance. Please have the org admin accept the terms',
    ],
    ['Zhipu, a model of a plan', 403, '当前订阅套餐暂未开放GLM-5权限', { code: '1311' }],
    ['Zhipu, a plan', 429, 'Your current subscription plan does not yet include access to GLM-5'],
  ],
  server: [
    [
      'LM Studio, a crash',
      400,
      'The model has crashed without additional information. (Exit code: 18446744072635812000)',
    ],
    ['LM Studio, unloaded', 400, 'Model is unloaded.'],
    ['Ollama, a crash', 400, 'llama runner process has terminated: exit status 2'],
    ['a database, full', 500, 'MySQL connection limit reached'],
  ],
  /** Says nearly the same words of something else. */
  invalid_request: [
    [
      'Bedrock, the answer',
      400,
      'The maximum tokens you requested exceeds the model limit of 32768',
    ],
    [
      'pydantic, a quoted crash',
      400,
      "[{'msg': 'Extra inputs are not permitted', 'input': 'npm ERR! process exited with code 1'}]",
    ],
    ['a quoted worker', 400, "Extra inputs are not permitted: 'the worker process has exited'"],
    [
      'a quoted invoice',
      400,
      "Invalid schema for function 'list_invoices': 'past-due' is not of type 'array'",
    ],
    ['a number of stops', 400, 'The number of stop tokens is more than 4'],
    ['a number of tokens', 400, "'logit_bias' tokens are more than 300"],
    ['a name', 400, 'text (messages[0].name) is too long'],
    ['a limit of sockets', 400, 'websocket conn limit must be a positive integer'],
    ['a parameter of a plan', 400, '该套餐未开放 stream 参数'],
    ['a process', 400, "Invalid tool 'process_exit': the description has no text"],
    ['a plan', 400, 'The tool `plan` does not include a description'],
  ],
};
