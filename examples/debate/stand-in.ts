import { textOf, type ChatModel } from '@vizprompt/providers';
import { scriptedModel } from '@vizprompt/providers/testing';

const LINES: Readonly<Record<string, readonly string[]>> = {
  cat: [
    '静かな夜に膝の上で眠る猫ほど、人を休ませるものはありません。',
    '散歩の義務がない、という一点だけで私は猫に投票します。',
    '呼んでも来ない相手と暮らすと、待つことを覚えますよ。',
  ],
  dog: [
    '犬は毎朝、あなたを外の世界へ連れ出してくれます！',
    'その義務こそが友を作るんです。公園で会う人の名前を、僕は全部言えます。',
    '玄関で待っていてくれる顔を見たら、そんな強がりは言えません！',
  ],
  host: [
    '猫派と犬派のお二人に伺います。人はどちらと暮らすべきでしょうか。',
    '静けさと活気、という対立が見えました。次は暮らしの手間について。',
    '手間は義務か、それとも縁か。最後に、一緒にいる時間について。',
    '待つ時間と、待たれる時間の話になりました。言い残したことがあれば。',
    'お二人とも、同じ話に戻ってきました。',
  ],
};
const CLOSING = 'どちらにも、誰かを待つ時間がありました。問いは残して、ここで終わります。';

/**
 * Returns a model that knows a few sentences. It says the one that follows what it has said, and not what follows the last
 * call, so that a talk that another process continues with does not begin again.
 */
export function standIn(part: string, chunkDelayMs: number): ChatModel {
  const lines = LINES[part];
  if (!lines) throw new Error(`there is no stand-in '${part}': ${Object.keys(LINES).join(', ')}`);
  return scriptedModel(
    ({ messages }) => {
      const asked = messages.at(-1);
      if (part === 'host' && asked && textOf(asked).includes('締めくくって')) return CLOSING;
      const said = messages.filter(({ role }) => role === 'assistant').length;
      return lines[said % lines.length] ?? '';
    },
    { provider: 'stand-in', modelId: part, chunkDelayMs },
  );
}
