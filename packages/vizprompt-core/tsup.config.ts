import { defineConfig } from 'tsup';
import { shared } from '../../tsup.shared.ts';

export default defineConfig({
  ...shared,
  entry: {
    index: 'src/index.ts',
    'ai-sdk/index': 'src/ai-sdk/index.ts',
    'assistant-ui/index': 'src/assistant-ui/index.ts',
    'assistant-ui/client': 'src/assistant-ui/client.ts',
    'openai-agents/index': 'src/openai-agents/index.ts',
    'websocket/index': 'src/websocket/index.ts',
    'vizprompt-merge': 'src/sharing/vizprompt-merge.ts',
  },
});
