// #region program
import { VizPrompt } from '@vizprompt/core';
import { textOf } from '@vizprompt/providers';
import { scriptedModel } from '@vizprompt/providers/testing';

// 代役のモデル。キーもネットワークも要らない。本物は下の二行に差し替える。
const small = scriptedModel(['30分です。'], { modelId: 'small' });
const large = scriptedModel(['自動で延長されるなら十分です。'], { modelId: 'large' });

const project = await VizPrompt.open('./my-project');
await project.chat({ prompt: 'ログインの期限は？', model: small }).node();
const node = await project.chat({ prompt: '短すぎませんか？', model: large }).node();
await project.retry(node.id, { model: scriptedModel(['一日にしましょう。']) }).node(); // 別の答え

for (const message of large.calls[0]?.messages ?? []) {
  console.log(`${message.role}: ${textOf(message)}`);
}
console.log(await project.toText());
await project.close();
// #endregion program
