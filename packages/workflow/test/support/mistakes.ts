import { agent, head, type Mistake } from './mistake-files.ts';

/** Mistakes that show where they are. */
export const plainMistakes: readonly Mistake[] = [
  { code: 'syntax', text: 'workflows:\n  story: ▲@x\n' },
  { code: 'syntax', name: 'an alias without an anchor', text: 'workflows: {}\nprompts: ▲*none\n' },
  { code: 'syntax', name: 'a key that is there twice', text: 'prompts: {}\n▲prompts: {}\n' },
  { code: 'syntax', name: 'JSON', text: '{ "prompts": { "a": "b" ▲"c": 1 } }' },
  {
    code: 'syntax',
    name: 'a key that is there twice in JSON',
    text: '{ "prompts": {}, ▲"prompts": {} }',
  },
  { code: 'wrong-type', name: 'a file that is a list', text: '▲- a\n- b\n' },
  { code: 'unknown-key', text: agent('        ▲promptid: draft\n') },
  { code: 'unknown-key', name: 'of the file', text: '▲workflow: {}\n' },
  { code: 'unknown-key', name: 'in a retry', text: agent('        retry: { ▲maxAttempt: 3 }\n') },
  {
    code: 'unknown-key',
    name: 'in an aggregate',
    text: `${head}workflows:
  story:
    steps:
      - id: all
        type: multi_agent_interaction
        agents_to_run:
          - { agent_id: writer, prompt_id: draft, input_variables: { topic: user_input } }
        aggregate: { strategy: rankFusion, ▲tops: 3 }
`,
  },
  {
    code: 'version-key',
    text: agent('        ▲temperature: 1\n').replace('agent_roles', 'version: 1\nagent_roles'),
  },
  {
    code: 'version-key',
    name: 'a type',
    text: agent('      - id: s\n        type: ▲sleep\n        duration: 1s\n').replace(
      'agent_roles',
      'version: 1\nagent_roles',
    ),
  },
  {
    code: 'missing-key',
    text: `${head}workflows:\n  story:\n    steps:\n      - ▲id: a\n        type: agent_interaction\n        agent_id: writer\n`,
  },
  { code: 'wrong-type', text: agent('        temperature: ▲warm\n') },
  { code: 'wrong-type', name: 'of alternatives', text: agent('        retry: ▲3\n') },
  { code: 'wrong-type', name: 'in an alternative', text: agent('        retry: { jitter: ▲1 }\n') },
  { code: 'unknown-value', text: agent('      - id: s\n        type: ▲agent_interacton\n') },
  {
    code: 'unknown-value',
    name: 'a failure mode',
    text: `${head}workflows:
  story:
    steps:
      - id: all
        type: multi_agent_interaction
        failureMode: ▲settle
        agents_to_run:
          - { agent_id: writer, prompt_id: draft, input_variables: { topic: user_input } }
`,
  },
  {
    code: 'unknown-value',
    name: 'an aggregate',
    text: `${head}workflows:
  story:
    steps:
      - id: all
        type: multi_agent_interaction
        aggregate: ▲votes
        agents_to_run:
          - { agent_id: writer, prompt_id: draft, input_variables: { topic: user_input } }
`,
  },
  {
    code: 'unknown-value',
    name: 'a strategy',
    text: `${head}workflows:
  story:
    steps:
      - id: all
        type: multi_agent_interaction
        aggregate: { strategy: ▲judged }
        agents_to_run:
          - { agent_id: writer, prompt_id: draft, input_variables: { topic: user_input } }
`,
  },
  { code: 'missing-key', name: 'the type', text: agent('      - ▲id: s\n        duration: 1s\n') },
  { code: 'too-small', text: agent('        retry: { maxAttempts: ▲0 }\n') },
  { code: 'too-large', text: agent('        temperature: ▲3\n') },
  { code: 'empty', text: `${head}workflows:\n  story:\n    ▲steps: []\n` },
  { code: 'empty', name: 'a text', text: agent('        when: ▲""\n') },
  {
    code: 'bad-duration',
    text: agent('      - id: s\n        type: sleep\n        duration: ▲5 minutes\n'),
  },
  { code: 'bad-duration', name: 'in a timeout', text: agent('        timeout: { total: ▲1w }\n') },
  {
    code: 'bad-name',
    text: agent('').replace('output_variable: story', 'output_variable: ▲the.story'),
  },
  { code: 'bad-name', name: 'an id', text: agent('').replace('id: draft\n', 'id: ▲a/b\n') },
  {
    code: 'duplicate-id',
    text: agent('      - id: ▲draft\n        type: sleep\n        duration: 1s\n'),
  },
  {
    code: 'reserved-name',
    text: agent('').replace('output_variable: story', 'output_variable: ▲user_input'),
  },
  { code: 'unknown-step', text: agent('        next_step: ▲draf\n') },
  {
    code: 'unknown-step',
    name: 'the first one',
    text: agent('').replace('  story:\n', '  story:\n    initial_step: ▲drafts\n'),
  },
  {
    code: 'unknown-step',
    name: 'of a branch',
    text: agent(`      - id: b
        type: branch
        branches:
          - { when: story != "", next_step: ▲nowhere }
`),
  },
  {
    code: 'unknown-step',
    name: 'after an error',
    text: agent('        onError: { goto: ▲drafft }\n'),
  },
  {
    code: 'unknown-step',
    name: 'outside of the body',
    text: agent(`      - id: l
        type: loop
        maxRounds: 2
        steps:
          - { id: w, type: sleep, duration: 1s, next_step: ▲draft }
`),
  },
  { code: 'unknown-role', text: agent('').replace('agent_id: writer', 'agent_id: ▲writter') },
  { code: 'unknown-prompt', text: agent('').replace('prompt_id: draft', 'prompt_id: ▲draught') },
  {
    code: 'unknown-workflow',
    text: agent('      - id: s\n        type: subflow\n        workflow: ▲storys\n'),
  },
  { code: 'unknown-server', text: agent('        tools: [▲mcp:files/read]\n') },
  {
    code: 'unknown-function',
    text: agent('      - id: s\n        type: function\n        function: ▲count\n'),
  },
  {
    code: 'unknown-tool',
    text: agent('      - id: s\n        type: tool\n        tool: ▲wether\n'),
  },
  {
    code: 'unknown-retriever',
    text: agent(
      '      - id: s\n        type: retrieve\n        retriever: ▲docs\n        query: user_input\n',
    ),
  },
  {
    code: 'unknown-activity',
    text: agent('      - id: s\n        type: activity\n        activity: ▲talking\n'),
  },
  {
    code: 'unknown-retry',
    text: `use: { retries: { often: { maxAttempts: 9 } } }\n${agent('        retry: ▲oftn\n')}`,
  },
  { code: 'unknown-timeout', text: agent('        timeout: ▲long\n') },
  { code: 'unknown-timeout', name: 'of a length', text: agent('        timeout: ▲300ms\n') },
  { code: 'unknown-model', text: agent('        model: ▲lama:x\n') },
  {
    code: 'unknown-model',
    name: 'of a fallback',
    text: agent('        fallback: [ollama:a, ▲nothing]\n'),
  },
  {
    code: 'unknown-model',
    name: 'of a role',
    text: agent('').replace('You write.', 'You write., model: ▲none:x'),
  },
  {
    code: 'unknown-model',
    name: 'of a name',
    text: `use:\n  models:\n    big: ▲bigger\n${agent('        model: big\n')}`,
  },
  {
    code: 'unknown-error-code',
    text: agent('        retry: { on: [rate_limit, ▲rate_limt], maxAttempts: 5 }\n'),
  },
  {
    code: 'unknown-error-code',
    name: 'of a name',
    text: `use:
  retries:
    often: { on: [▲overload] }
${agent('        retry: often\n')}`,
  },
  {
    code: 'unknown-error-code',
    name: 'that is like none',
    text: agent('        retry: { on: [▲ECONNRESET] }\n'),
  },
  { code: 'sleep-time', text: agent('      - ▲id: s\n        type: sleep\n') },
  {
    code: 'quorum-too-large',
    text: `${head}workflows:
  story:
    steps:
      - id: all
        type: multi_agent_interaction
        failureMode: { quorum: ▲2 }
        agents_to_run:
          - { agent_id: writer, prompt_id: draft, input_variables: { topic: user_input } }
`,
  },
];
