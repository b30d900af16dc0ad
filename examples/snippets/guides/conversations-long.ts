// #region program
import { VizPrompt } from '@vizprompt/core';

await using project = await VizPrompt.open('./my-project');
const { id: flow } = await project.createFlow({ name: 'Orders' });
for (let day = 1; day <= 100; day++) {
  const usual = `Order ${day} was packed, weighed, labelled and sent. `.repeat(5);
  const response = day === 17 ? 'Refunds are possible for 45 days.' : usual;
  await project.createNode({ prompt: `What happened on day ${day}?`, response }, { flow });
}
const prompt = 'For how long are refunds possible?';
const { messages, report } = await project.buildContext({ flow, prompt, budgetTokens: 2000 });
console.log(`${report.tokens} of ${report.everything.tokens} tokens, ${messages.length} messages`);
for (const { label, form, reason } of report.entries) {
  if (form === 'full') console.log(`turn ${label} in full: ${reason}`);
}
// #endregion program
