import { agent, second, team, type Mistake } from './mistake-files.ts';

/** Mistakes that show when all ways through a workflow are looked at. */
export const flowMistakes: readonly Mistake[] = [
  {
    code: 'subflow-recursion',
    text: agent(
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
    text: agent(
      '      - { id: ▲a, type: sleep, duration: 1s }\n      - { id: b, type: sleep, duration: 1s, next_step: a }\n',
    ),
  },
  {
    code: 'constant-until',
    text: agent(`      - id: l
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
  {
    code: 'jump-by-data',
    text: agent('        ▲next_step: end\n').replace(
      '    steps:',
      '    order: by-data\n    steps:',
    ),
  },
  {
    code: 'unknown-member',
    text: team(
      '{ agent_id: writer, prompt_id: draft, input_variables: { topic: team }, hands_over_to: [▲d] }',
    ),
  },
  {
    code: 'unreachable-agent',
    text: team(
      '{ agent_id: writer, prompt_id: draft, input_variables: { topic: team }, hands_over_to: [] }',
    ).replace('          b:', '          ▲b:'),
  },
  {
    code: 'team-unseen',
    text: team('{ agent_id: writer, prompt_id: draft, input_variables: { topic: team } }').replace(
      'prompt_id: draft, input_variables: { topic: story }',
      'prompt_id: ▲draft, input_variables: { topic: story }',
    ),
  },
  {
    code: 'server-failed',
    text: agent('        tools: [▲mcp:down]\n') + 'use: { mcpServers: { down: { command: x } } }\n',
  },
  {
    code: 'bad-cron',
    text: agent('') + "schedules: { s: { workflow: story, cron: ▲'61 * * * *' } }\n",
  },
  {
    code: 'bad-time-zone',
    text:
      agent('') +
      "schedules: { s: { workflow: story, cron: '1 * * * *', timeZone: ▲Asia/Tokio } }\n",
  },
  {
    code: 'unknown-set',
    text:
      agent('') + "schedules: { s: { workflow: story, cron: '1 * * * *', promptSet: ▲haiku } }\n",
  },
  {
    code: 'plain-secret',
    text: agent('') + 'webhooks: { w: { workflow: story, scheme: github, secret: ▲hush } }\n',
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
    text: agent('').replace('topic: user_input', 'topic: ▲story'),
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
    text: agent(`      - id: b
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
    text: agent(`      - id: l
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
    text: agent(`      - id: l
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
    text: agent(`      - { id: a, type: loop, maxRounds: 1, onError: continue, steps: [{ id: b, type: agent_interaction, agent_id: writer, prompt_id: draft, input_variables: { topic: story }, output_variable: answer }] }
      - { id: e, type: human, prompt_id: draft, input_variables: { topic: ▲answer } }
`),
  },
  {
    code: 'variable-not-yet-set',
    name: 'of an item',
    text: agent(`      - id: l
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
    code: 'unknown-variable',
    name: 'behind Japanese names',
    text: second(
      '        when: 物語 != "猫" && ▲物言 != ""\n        input_variables: { topic: 物語 }\n',
    ).replace('output_variable: story', 'output_variable: 物語'),
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
    text: agent(
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
