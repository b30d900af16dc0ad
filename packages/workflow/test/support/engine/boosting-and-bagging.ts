import type { WorkflowFile } from '@vizprompt/workflow';

/** A boosting flow: each agent works on what the one before gave. */
export const BOOSTING: WorkflowFile = {
  agent_roles: {
    writer: { system_prompt: 'あなたは作家です。', description: '書く', model: 'm' },
    critic: { system_prompt: 'あなたは編集者です。', model: 'm' },
  },
  prompts: { draft: '「{{ topic }}」の話を書いて。', review: '直して: {{ story }}' },
  workflows: {
    boosting: {
      description: 'one after the other',
      initial_step: 'draft',
      steps: [
        {
          id: 'draft',
          type: 'agent_interaction',
          agent_id: 'writer',
          prompt_id: 'draft',
          input_variables: { topic: 'user_input' },
          output_variable: 'story',
          next_step: 'review',
        },
        {
          id: 'review',
          type: 'agent_interaction',
          agent_id: 'critic',
          prompt_id: 'review',
          input_variables: { story: 'story' },
          output_variable: 'better',
          next_step: 'end',
        },
      ],
    },
  },
};

/** A bagging flow: two agents on the same input, and one that brings them together. */
export const BAGGING: WorkflowFile = {
  agent_roles: {
    agent_A: { system_prompt: 'A', model: 'm' },
    agent_B: { system_prompt: 'B', model: 'm' },
    aggregator_agent: { system_prompt: 'まとめ役', model: 'm' },
  },
  prompts: {
    prompt_for_A: 'A: {{ data }}',
    prompt_for_B: 'B: {{ data }}',
    aggregation_prompt: '{{ result_A }} と {{ result_B }}',
  },
  workflows: {
    bagging: {
      description: 'side by side',
      initial_step: 'multi_agent_example_step',
      steps: [
        {
          id: 'multi_agent_example_step',
          type: 'multi_agent_interaction',
          agents_to_run: [
            {
              agent_id: 'agent_A',
              prompt_id: 'prompt_for_A',
              input_variables: { data: 'user_input' },
              output_variable: 'output_A',
            },
            {
              agent_id: 'agent_B',
              prompt_id: 'prompt_for_B',
              input_variables: { data: 'user_input' },
              output_variable: 'output_B',
            },
          ],
          next_step: 'aggregation_step',
        },
        {
          id: 'aggregation_step',
          type: 'agent_interaction',
          agent_id: 'aggregator_agent',
          prompt_id: 'aggregation_prompt',
          input_variables: { result_A: 'output_A', result_B: 'output_B' },
          output_variable: 'final_aggregated_result',
          next_step: 'end',
        },
      ],
    },
  },
};
