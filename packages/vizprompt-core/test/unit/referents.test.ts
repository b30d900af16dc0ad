import { describe, expect, it } from 'vitest';
import { openProject } from '../support/open-project.ts';

const BULLETS = '- red boat\n- blue kite\n- green hat\n- a drum\n- a bell';

/** Returns the form of an early turn with a list, in a long conversation without room for all of it. */
async function formOfList(
  prompt: string,
  response: string = BULLETS,
  asked: string = 'Give me ideas',
): Promise<string | undefined> {
  const vizprompt = await openProject();
  const { id } = await vizprompt.createNode({ prompt: asked, response });
  for (let turn = 0; turn < 8; turn++) {
    await vizprompt.createNode({ prompt: 'Weather?', response: 'It rains today. '.repeat(60) });
  }
  const { report } = await vizprompt.buildContext({ prompt, budgetTokens: 1500 });
  return report.entries.find((entry) => entry.id === id)?.form;
}

describe('a prompt points at an item of a list', () => {
  it.each([
    'the one before last',
    'Combine 2 and 4',
    'the middle one',
    'Explain points 2-4',
    '2',
    '2と4を組み合わせて',
    '1〜3を詳しく',
    'ふたつめ',
    '2こめ',
    '真ん中のやつ',
    '最初の二つを比べて',
    'last but one',
    "let's do four",
    '4 it is',
    'I pick 3',
    '2, 3 and 5',
    'everything except 4',
    'the final one',
    'row 4',
    'task two',
    'Which one is best?',
    'rank them',
    '3 please',
    '4でお願いします',
    '3かな',
    '3にします',
    '二個め',
    'ラストのやつ',
    '真ん中がいい',
    '全部英語にして',
    '順番に説明して',
    '理由3がよくわからない',
    '一番いいのは？',
  ])('%s', async (prompt) => {
    expect(await formOfList(prompt)).toBe('full');
  });

  it.each([
    ['b)', 'a) red boat\nb) blue kite\nc) green hat'],
    ['the second one', 'i. red boat\nii. blue kite'],
    ['the second one', '1️⃣ red boat\n2️⃣ blue kite'],
    ['the second one', '✅ red boat\n✅ blue kite'],
    ['the second one', 'Draft 1: red boat\nDraft 2: blue kite'],
    ['the second one', '**Option 1 (cheap)** – a boat\n**Option 2** – a kite'],
    ['the second one', '| thing | colour |\n|---|---|\n| boat | red |\n| kite | blue |'],
    ['ロで進めて', 'イ. 赤い舟\nロ. 青い凧'],
    ['二番目の提案', 'まず、舟に乗ること。次に、凧を上げること。'],
    ['その二で', 'その一、舟で行く。その二、歩いて行く。'],
    ['2日目を詳しく', '1日目：舟\n2日目：凧'],
  ])('%s, of %j', async (prompt, response) => {
    expect(await formOfList(prompt, response)).toBe('full');
  });

  it.each([
    ['the latter', 'Boat or kite?'],
    ['あとのほう', '舟と凧のどちらがいい？'],
    ['どっちがおすすめ？', '舟と凧、どちらにする？'],
  ])('%s, of the question %j', async (prompt, asked) => {
    expect(await formOfList(prompt, 'Boats are slow. Kites are fast.', asked)).toBe('full');
  });

  it.each([
    'Compare 3 laptops',
    'Explain 5G to me',
    '第二次世界大戦とは',
    '5から3を引くと',
    'at first glance it works',
    'I have 3 kids',
    'Room 3 is cold',
    '2で割ると',
    '4人で旅行します',
    '3が素数である理由',
    'どれくらい時間がかかる？',
    '一番高い山は？',
    '全部で何人？',
  ])('but not: %s', async (prompt) => {
    expect(await formOfList(prompt)).not.toBe('full');
  });

  const CODE = '```py\nvisit()\n```';
  const TABLE = '| thing | colour |\n|---|---|\n| boat | red |\n| kite | blue |';

  it.each([
    ['Add type hints to the function above', CODE],
    ['Fix the code you gave me', CODE],
    ['Split the class you wrote', CODE],
    ['rewrite that function in Rust', CODE],
    ['上のコードにコメントを付けて', CODE],
    ['さっきの関数をTypeScriptに', CODE],
    ['刚才的代码加上注释', CODE],
    ['아까 그 코드에 주석 달아줘', CODE],
    ['Add a column to that table', TABLE],
    ['表の一番下の行を消して', TABLE],
  ])('%s, of %j', async (prompt, response) => {
    expect(await formOfList(prompt, response)).toBe('full');
  });

  it.each([
    ['Write code for a login page', CODE],
    ['関数とは何ですか', CODE],
    ['このコードを見て\n```js\nlet a = 1\n```', CODE],
    ['I joined a class yesterday', CODE],
    ['I missed that class on Monday', CODE],
    ['Is your exercise program any good?', CODE],
    ['ワンランク上のクラスに乗りたい', CODE],
    ['今のクラスになじめない', CODE],
    ['Fix the code you gave me', 'Boats are slow. Kites are fast.'],
    ['Set the table for dinner', TABLE],
    ['別のやつを買った話を書いて', TABLE],
    ['両方の祖父母に会う', TABLE],
    ['What is a second?', TABLE],
  ])('but not: %s, of %j', async (prompt, response) => {
    expect(await formOfList(prompt, response)).not.toBe('full');
  });
});
