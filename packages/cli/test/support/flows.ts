/** Workflows on a server of Ollama's protocol, and one that a person answers. */
export const FLOWS = `agent_roles:
  writer: { system_prompt: You write short stories., model: 'ollama:writer' }
  critic: { system_prompt: You are a strict editor., model: 'ollama:critic' }
prompts:
  draft: '{{ topic }}について書いて'
  review: '直して: {{ story }}'
  ask: '「{{ story }}」を載せますか？'
workflows:
  story:
    steps:
      - id: draft
        type: agent_interaction
        agent_id: writer
        prompt_id: draft
        input_variables: { topic: user_input }
        output_variable: story
      - id: review
        type: agent_interaction
        agent_id: critic
        prompt_id: review
        input_variables: { story: story }
        output_variable: better
  approval:
    inputs: { type: object, required: [story] }
    output: answer
    steps:
      - id: ask
        type: human
        prompt_id: ask
        input_variables: { story: user_input.story }
        output: { schema: { type: boolean } }
        output_variable: answer
  shout:
    steps:
      - { id: loud, type: function, function: upper, input_variables: { text: user_input }, output_variable: out }
`;

/** Two mistakes, with their places. */
export const BROKEN = `prompts:
  draft: '{{ topic }}'
agent_roles:
  writer: { system_prompt: x, model: 'ollama:a' }
workflows:
  story:
    steps:
      - id: draft
        type: agent_interaction
        agent_id: writter
        prompt_id: draft
        input_variables: { topic: user_input }
        next_step: reveiw
      - { id: review, type: sleep, duration: 1s }
`;

/** Functions for steps. */
export const MODULE = `export const functions = { upper: ({ text }) => text.toUpperCase() };
`;
