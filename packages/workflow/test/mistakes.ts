/** A mistake: its code, and a file in which `▲` stands before its place. */
export interface Mistake {
  readonly code: string;
  readonly name?: string;
  readonly text: string;
}

const head = `agent_roles:
  writer: { system_prompt: You write. }
prompts:
  draft: Write about {{ topic }}.
`;

const agent = (more: string): string => `${head}workflows:
  story:
    steps:
      - id: draft
        type: agent_interaction
        agent_id: writer
        prompt_id: draft
        input_variables: { topic: user_input }
        output_variable: story
${more}`;

const second = (more: string): string =>
  agent(`      - id: second
        type: agent_interaction
        agent_id: writer
        prompt_id: draft
${more}`);

/** A step of any type behind the first one, or in its place. */
const after = (more: string): string => agent(more);

export const mistakes: readonly Mistake[] = [
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
    text: after('      - id: s\n        type: ▲sleep\n        duration: 1s\n').replace(
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
  { code: 'unknown-value', text: after('      - id: s\n        type: ▲agent_interacton\n') },
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
  { code: 'missing-key', name: 'the type', text: after('      - ▲id: s\n        duration: 1s\n') },
  { code: 'too-small', text: agent('        retry: { maxAttempts: ▲0 }\n') },
  { code: 'too-large', text: agent('        temperature: ▲3\n') },
  { code: 'empty', text: `${head}workflows:\n  story:\n    ▲steps: []\n` },
  { code: 'empty', name: 'a text', text: agent('        when: ▲""\n') },
  {
    code: 'bad-duration',
    text: after('      - id: s\n        type: sleep\n        duration: ▲5 minutes\n'),
  },
  { code: 'bad-duration', name: 'in a timeout', text: agent('        timeout: { total: ▲1w }\n') },
  {
    code: 'bad-name',
    text: agent('').replace('output_variable: story', 'output_variable: ▲the.story'),
  },
  { code: 'bad-name', name: 'an id', text: agent('').replace('id: draft\n', 'id: ▲a/b\n') },
  {
    code: 'duplicate-id',
    text: after('      - id: ▲draft\n        type: sleep\n        duration: 1s\n'),
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
    text: after(`      - id: b
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
    text: after(`      - id: l
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
    text: after('      - id: s\n        type: subflow\n        workflow: ▲storys\n'),
  },
  {
    code: 'unknown-function',
    text: after('      - id: s\n        type: function\n        function: ▲count\n'),
  },
  {
    code: 'unknown-tool',
    text: after('      - id: s\n        type: tool\n        tool: ▲wether\n'),
  },
  {
    code: 'unknown-retriever',
    text: after(
      '      - id: s\n        type: retrieve\n        retriever: ▲docs\n        query: user_input\n',
    ),
  },
  {
    code: 'unknown-activity',
    text: after('      - id: s\n        type: activity\n        activity: ▲talking\n'),
  },
  {
    code: 'unknown-retry',
    text: `use: { retries: { often: { maxAttempts: 9 } } }\n${agent('        retry: ▲oftn\n')}`,
  },
  { code: 'unknown-timeout', text: agent('        timeout: ▲long\n') },
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
  { code: 'sleep-time', text: after('      - ▲id: s\n        type: sleep\n') },
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
  {
    code: 'subflow-recursion',
    text: after(
      '      - id: s\n        type: subflow\n        workflow: ▲story\n        input_variables: { user_input: story }\n',
    ),
  },
  {
    code: 'endless-cycle',
    text: agent('        next_step: draft\n').replace('id: draft', 'id: ▲draft'),
  },
  {
    code: 'endless-cycle',
    name: 'of two',
    text: after(
      '      - { id: ▲a, type: sleep, duration: 1s }\n      - { id: b, type: sleep, duration: 1s, next_step: a }\n',
    ),
  },
  {
    code: 'constant-until',
    text: after(`      - id: l
        type: loop
        maxRounds: 3
        until: ▲story != ""
        steps:
          - { id: w, type: sleep, duration: 1s }
`),
  },
  {
    code: 'unreachable-step',
    text: agent('        next_step: end\n') + '      - { id: ▲lost, type: sleep, duration: 1s }\n',
  },
  { code: 'unknown-variable', text: agent('').replace('topic: user_input', 'topic: ▲userinput') },
  {
    code: 'unknown-variable',
    name: 'in a condition',
    text: second(
      '        when: story != "" && ▲storry != "x"\n        input_variables: { topic: story }\n',
    ),
  },
  {
    code: 'unknown-variable',
    name: 'in a quoted condition',
    text: second(
      `        when: 'story != ''x'' && ▲storry != "x"'\n        input_variables: { topic: story }\n`,
    ),
  },
  {
    code: 'unknown-variable',
    name: 'behind escapes',
    text: second(
      `        when: "story != \\"\\u732b\\" && ▲storry"\n        input_variables: { topic: story }\n`,
    ),
  },
  {
    code: 'unknown-variable',
    name: 'in a block',
    text: second(
      `        when: |\n          story != ""\n            && ▲storry == story\n        input_variables: { topic: story }\n`,
    ),
  },
  {
    code: 'unknown-variable',
    name: 'in a folded block',
    text: second(
      `        when: >-\n          story != ""\n          && story != "猫"\n\n          && ▲storry == story\n        input_variables: { topic: story }\n`,
    ),
  },
  {
    code: 'unknown-variable',
    name: 'of the output',
    text: agent('').replace('  story:\n', '  story:\n    output: ▲storry\n'),
  },
  {
    code: 'variable-not-yet-set',
    text: agent('').replace('topic: user_input', 'topic: ▲story') + '',
  },
  {
    code: 'variable-not-yet-set',
    name: 'by a later step',
    text:
      agent('').replace('topic: user_input', 'topic: ▲later') +
      '      - id: second\n        type: human\n        prompt_id: draft\n        input_variables: { topic: story }\n        output_variable: later\n',
  },
  {
    code: 'variable-maybe-unset',
    text: after(`      - id: b
        type: branch
        branches: [{ when: story == "", next_step: c }]
        else: d
      - { id: c, type: human, prompt_id: draft, input_variables: { topic: story }, output_variable: answer }
      - { id: d, type: human, prompt_id: draft, input_variables: { topic: ▲answer } }
`),
  },
  {
    code: 'variable-maybe-unset',
    name: 'in the first round',
    text: after(`      - id: l
        type: loop
        maxRounds: 2
        steps:
          - { id: c, type: human, prompt_id: draft, input_variables: { topic: ▲answer } }
          - { id: d, type: human, prompt_id: draft, input_variables: { topic: story }, output_variable: answer }
`),
  },
  {
    code: 'variable-maybe-unset',
    name: 'of a loop that is left out',
    text: after(`      - id: l
        type: loop
        when: story == ""
        maxRounds: 2
        steps:
          - { id: d, type: human, prompt_id: draft, input_variables: { topic: story }, output_variable: answer }
      - { id: e, type: human, prompt_id: draft, input_variables: { topic: ▲answer } }
`),
  },
  {
    code: 'variable-maybe-unset',
    name: 'after an error',
    text: after(`      - { id: a, type: function, function: f, output_variable: answer, onError: { goto: e } }
      - { id: e, type: human, prompt_id: draft, input_variables: { topic: ▲answer } }
`),
  },
  {
    code: 'variable-not-yet-set',
    name: 'of an item',
    text: after(`      - id: l
        type: foreach
        in: story.split(",")
        as: one
        steps:
          - { id: d, type: human, prompt_id: draft, input_variables: { topic: one }, output_variable: answer }
      - { id: e, type: human, prompt_id: draft, input_variables: { topic: ▲answer } }
`),
  },
  {
    code: 'unknown-field',
    text: second('        input_variables: { topic: story.▲valeu }\n').replace(
      'output_variable: story\n',
      'output_variable: story\n        output: { schema: { type: object, properties: { value: { type: number } } } }\n',
    ),
  },
  { code: 'field-of-value', text: second('        input_variables: { topic: story.▲title }\n') },
  { code: 'missing-input', text: second('        ▲input_variables: { topik: story }\n') },
  {
    code: 'missing-input',
    name: 'where there is none',
    text: second('').replace(/prompt_id: draft\n$/, 'prompt_id: ▲draft\n'),
  },
  {
    code: 'unused-input',
    text: second('        input_variables: { topic: story, ▲tone: user_input }\n'),
  },
  { code: 'template-syntax', text: agent('').replace('{{ topic }}', '▲{{ topic ') },
  {
    code: 'template-syntax',
    name: 'a filter',
    text: agent('').replace('{{ topic }}', '{{ topic | ▲upcas }}'),
  },
  {
    code: 'template-syntax',
    name: 'in a block',
    text: agent('').replace(
      'draft: Write about {{ topic }}.',
      'draft: |\n    Write\n      about {{ topic }} {% if▲ %}\n',
    ),
  },
  {
    code: 'template-syntax',
    name: 'that reads a file',
    text: agent('').replace('{{ topic }}', '▲{% include "/etc/passwd" %}'),
  },
  {
    code: 'condition-syntax',
    text: second('        when: story ==▲\n        input_variables: { topic: story }\n'),
  },
  {
    code: 'condition-syntax',
    name: 'a character',
    text: second('        when: story ▲§ 3\n        input_variables: { topic: story }\n'),
  },
  {
    code: 'condition-type',
    text: second('        when: ▲story >= 8\n        input_variables: { topic: story }\n'),
  },
  {
    code: 'condition-type',
    name: 'a field',
    text: second(
      '        when: story.▲vlue >= 8\n        input_variables: { topic: story }\n',
    ).replace(
      'output_variable: story\n',
      'output_variable: story\n        output: { schema: { type: object, properties: { value: { type: number } } } }\n',
    ),
  },
  {
    code: 'condition-type',
    name: 'a function',
    text: second('        when: ▲sizes(story) > 1\n        input_variables: { topic: story }\n'),
  },
  {
    code: 'condition-not-boolean',
    text: second('        when: ▲size(story)\n        input_variables: { topic: story }\n'),
  },
  {
    code: 'condition-not-list',
    text: after(
      '      - id: l\n        type: foreach\n        in: ▲size(story)\n        as: one\n        steps:\n          - { id: w, type: sleep, duration: 1s }\n',
    ),
  },
  {
    code: 'hidden-name',
    text: second(
      '        when: ▲list != ""\n        input_variables: { topic: user_input }\n',
    ).replace('output_variable: story', 'output_variable: list'),
  },
];
