import { describe, expect, it } from 'vitest';
import { requestedInText } from '../../src/chat/detail-requests.ts';

const UUID = '01a22386-6453-7000-b8d6-6257a8fc0a88';

describe('a request for details in words', () => {
  it.each([
    ['[3]の詳細を知りたい', '3'],
    ['［３］の詳細を知りたい。', '3'],
    ['【3】の詳細が知りたいです。', '3'],
    ['「[3]の詳細を知りたい」', '3'],
    ['ノード3の詳細を知りたい', '3'],
    ['ノード[3]の全文を見せてください。', '3'],
    ['３番の詳細をお願いします。', '3'],
    ['[3]と[5]の詳細を知りたい', '3 5'],
    ['[3]の詳細を知りたい\n[5]の詳細を知りたい', '3 5'],
    [`[${UUID}]の詳細を知りたい`, UUID],
    ['要約だけでは答えられません。[12]の詳細情報が必要です。', '12'],
    ['質問に答えるため、[A]の内容を確認したいです。', 'A'],
    ['ノード[3]を詳しく見たい', '3'],
    ['[3]について詳しく知りたい', '3'],
    ['[3]の続きを見せてください。', '3'],
    ['[3]の詳細をお願いできますか', '3'],
    ['show me [3]', '3'],
    ['Show me 3.', '3'],
    ['show me the details of [3], please', '3'],
    ['Please show me node 3 and node 5.', '3 5'],
    ['I need the details of turn 3.', '3'],
    ['**show me [B]**', 'B'],
    ['The summary is not enough. Show me number 7.', '7'],
    ['[ノードID: 3]の詳細を知りたい', '3'],
    ['[id:3]の詳細を知りたい', '3'],
    ['[node 12]の詳細をしりたい', '12'],
    ['詳細を知りたい：[3]', '3'],
    ['詳細を知りたいノード: 3', '3'],
    ['[3]の詳細を知りたいのですが、よろしいでしょうか。', '3'],
    ['[3]の詳細', '3'],
    ['詳細が必要：[3]、[5]', '3 5'],
    ['[A]の全文', 'A'],
    ['[3]の詳細\n[5]の詳細', '3 5'],
    ['[3]の詳細を知りたい\n[5]の詳細', '3 5'],
    ['Details needed: [3] and [5]', '3 5'],
    ['Node 3 details please', '3'],
    ['ノード3の詳しい内容を教えてもらえますか?', '3'],
    ['[3]の詳細をお願いできますか？', '3'],
    ['[3]の詳細情報をいただけますか', '3'],
    ['[3]を読ませてください', '3'],
    ['[3]の全文を提供してください', '3'],
    ['ノード [3] の全文を読む必要があります', '3'],
    ["I'd need the details of [3] to answer.", '3'],
    ['Let me see [3].', '3'],
    ['I need to see [3].', '3'],
    ['May I see node 3?', '3'],
    ['Could I please see [3] and [5]?', '3 5'],
    ['Let us see [3].', '3'],
    ['<think>If I say show me [1]...</think>show me [2]', '2'],
    ['[ノード3]の詳細を教えて', '3'],
    ['［ノード３］の詳細を教えて頂けますか？', '3'],
    ['[3]の詳細を教えていただきたいです。', '3'],
    ['[3]の詳細を教えてくれませんか', '3'],
    ['[3]をもう一度見せてください', '3'],
    ['[3]の回答を詳しく教えて', '3'],
    ['[3]の詳細、知りたいです', '3'],
    ['[3]の詳細を要求します。', '3'],
    ['[3]と[5]の詳細を確認いたします。', '3 5'],
    ["I'd like to know more about [3].", '3'],
    ['Tell me more about node [3].', '3'],
    ['Request details: [3]', '3'],
    ['Please provide the details of [12] so I can answer.', '12'],
  ])('%j', (answer, ids) => {
    expect(requestedInText(answer).join(' ')).toBe(ids);
  });

  it.each([
    'もし[3]の詳細を知りたい場合は、そう言ってください。答えは30日です。',
    '答えは30日です（[3]の詳細を知りたいときはお知らせください）。',
    '「[番号]の詳細を知りたい」と指示できます。',
    'The answer is 30 days. If you want the details of [3], say so.',
    'You can say "show me [3]" at any time.',
    'Show me 3 examples and I will fix them.',
    'I can show you three ways.',
    `${'The refund takes thirty days and is paid to the card. '.repeat(5)}\nshow me [3]`,
    'The details of the plan follow in section 3.1.',
    '詳細は3ページにあります。',
    '[ノードID]の詳細を知りたい',
    '[3]の詳細を知りたいですか？',
    '[3]の詳細が必要ですか?',
    '[3]の全文は読む必要がありません。',
    'See [3].',
    'Please see [3].',
    'As you will see [3].',
    'On page one you see [2]',
    'In the console you then see 404.',
    '[3]',
    'Details: 3 rooms, 2 baths.',
    '手順3の詳細は次の通りです。',
    'Sets: 3\nReps: 12\nRest: 90',
    '価格: 100円\n詳細：12',
    '詳細：[3]',
    '詳細が必要な項目: 3',
    '全文: 2',
    'Contents: 4',
    'Text: 5',
    'Here is the summary.\nDetails: 3',
    'Here is the summary.\nDetails needed: [3]',
    'details: [3]',
    'Full text: [1]',
    'Text needed: [1]',
    '(c) text',
    '(c) details',
    'Node 3 text.',
    '[OK]の詳細',
    '手順3の詳細を確認します。',
    '第3章の内容を参照します。',
    'Tell me more about 3 of them.',
    '問3の回答を教えて',
    '答えは次の通りです。\n[3]の詳細',
  ])('is not %j', (answer) => {
    expect(requestedInText(answer)).toEqual([]);
  });

  it.each(['x%y', '[%y', 'x%and', '[1]と%'])(
    'is not a long run in %j, which takes linear time',
    (text) => {
      expect(requestedInText(text.replace('%', ' '.repeat(400_000)))).toEqual([]);
    },
  );

  it('may name a hundred nodes', () => {
    const ids = Array.from({ length: 99 }, () => `[${UUID}]`).join('と');
    expect(requestedInText(`${ids}の詳細を知りたい`)).toEqual([UUID]);
  });
});
