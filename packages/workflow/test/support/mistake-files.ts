/** A mistake: its code, and a file in which `▲` is before its place. */
export interface Mistake {
  readonly code: string;
  readonly name?: string;
  readonly text: string;
}

export const head = `agent_roles:
  writer: { system_prompt: You write. }
prompts:
  draft: Write about {{ topic }}.
`;

/** The first step, and more. */
export const agent = (more: string): string => `${head}workflows:
  story:
    steps:
      - id: draft
        type: agent_interaction
        agent_id: writer
        prompt_id: draft
        input_variables: { topic: user_input }
        output_variable: story
${more}`;

/** Two steps. */
export const second = (more: string): string =>
  agent(`      - id: second
        type: agent_interaction
        agent_id: writer
        prompt_id: draft
${more}`);

/** A team of two, of whom the first is given. */
export const team = (first: string): string =>
  agent(`      - id: team
        type: team
        members:
          a: ${first}
          b: { agent_id: writer, prompt_id: draft, input_variables: { topic: story } }
`);
