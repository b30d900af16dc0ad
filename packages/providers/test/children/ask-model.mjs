// Asks a model over the network that the variables of the environment describe: node ask-model.mjs URL [agent|fetch]
import { textMessage } from '@vizprompt/providers';
import { openai } from '@vizprompt/providers/openai';
import { EnvHttpProxyAgent, fetch, setGlobalDispatcher } from 'undici';

const [, , baseURL, way] = process.argv;
if (way === 'agent') setGlobalDispatcher(new EnvHttpProxyAgent());
const dispatcher = way === 'fetch' ? new EnvHttpProxyAgent() : undefined;
const model = openai({
  model: 'fake',
  apiKey: 'none',
  baseURL,
  ...(dispatcher && { fetch: (input, init) => fetch(input, { ...init, dispatcher }) }),
});
const said = await model.generate({ messages: [textMessage('user', '?')] }).then(
  ({ text }) => ({ text }),
  ({ code, message, isRetryable }) => ({ code, message, isRetryable }),
);
process.send(said, () => process.exit());
