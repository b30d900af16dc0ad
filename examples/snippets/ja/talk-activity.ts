// #region activity
import { conversationActivity } from '@vizprompt/talktable';

const debate = conversationActivity({ name: 'debate', config: 'talk.yaml' });
const { conclusion } = await debate.run(
  { topic: '鳥か魚か', maxTurns: 2 },
  { key: 'run-1/step-2', signal: new AbortController().signal, emit: () => {} },
);
console.log(conclusion);
// #endregion activity
