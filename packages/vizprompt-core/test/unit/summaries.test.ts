import { describe, expect, it } from 'vitest';
import { findList } from '../../src/build/find-list.ts';
import { readDigest } from '../../src/build/summarize-by-model.ts';
import { sentencesOf } from '../../src/build/sentences.ts';
import { summarize } from '../../src/build/summarize-offline.ts';

const LIMITS = { maxWords: 50 };

describe('sentences', () => {
  it('are found in linear time after marks of an error', () => {
    expect(sentencesOf(`One.\n${'~'.repeat(90_000)}^\nTwo.`)).toEqual(['One.', 'Two.']);
  });

  it.each(['.', 'a.', '..a', '<.', './'])('are found in linear time after a run of "%s"', (run) => {
    const line = `at ${run.repeat(20_000)}`;
    expect(sentencesOf(`${line} 12`).join('')).toContain('12');
    expect(sentencesOf(`One.\n  ${line}.a(A.java:1)\nTwo.`)).toEqual(['One.', 'Two.']);
  });

  it.each([
    [
      '「昨日行きました。楽しかった。」が自然です。次へ。',
      ['「昨日行きました。楽しかった。」が自然です。', '次へ。'],
    ],
    [
      '『雨。そして風』を読んだ？はい（たぶん。）。',
      ['『雨。そして風』を読んだ？', 'はい（たぶん。）。'],
    ],
    ['「閉じない。次の文。', ['「閉じない。', '次の文。']],
    [
      'Guard with `items?.map`. Use SELECT ... FOR UPDATE here.',
      ['Guard with items?.map.', 'Use SELECT ... FOR UPDATE here.'],
    ],
    [
      'Ask Dr. Lee, e.g. today. It costs 1.5 euros! Done?',
      ['Ask Dr. Lee, e.g. today.', 'It costs 1.5 euros!', 'Done?'],
    ],
    [
      'Broken:\n    at App (App.tsx:12:18)\n    at async run (/a/b.js:1:2)\nWhy?',
      ['Broken:', 'Why?'],
    ],
    ['Traceback (most recent call last):\n  File "a.py", line 3, in f\nKeyError', ['KeyError']],
    [
      'Broken:\n  File "a.py", line 3, in f\n    import numpy\n    ~~~~^^^\nModuleNotFoundError',
      ['Broken:', 'ModuleNotFoundError'],
    ],
    [
      'Rename `user_id` to **account_id**, and x*y to y*x.',
      ['Rename user_id to account_id, and x*y to y*x.'],
    ],
    ['これは**重要**です。', ['これは重要です。']],
    ['java.lang.X\n\tat com.acme.A.b(A.java:10)\n\t... 12 more\nHilfe', ['java.lang.X', 'Hilfe']],
    [
      'Sizes.\n| room | size |\n|---|---|\n| Attic | 14 m2 |\nDone.',
      ['Sizes.', 'room: size', 'Attic: 14 m2', 'Done.'],
    ],
    ['Text.\n```js\nconst a = 1. + 2;\n```\nMore.', ['Text.', 'More.']],
    [
      'It comes on Thu., 14 May by 9 a.m. and later. Ask at 6 p.m. The bell rings.',
      ['It comes on Thu., 14 May by 9 a.m. and later.', 'Ask at 6 p.m.', 'The bell rings.'],
    ],
    [
      'My text: "It sleeps. It wakes." Is it good? He said "no. never" twice.',
      ['My text: "It sleeps. It wakes."', 'Is it good?', 'He said "no. never" twice.'],
    ],
    ['A 5" pipe. A 6" pipe.', ['A 5" pipe.', 'A 6" pipe.']],
  ])('of %j', (text, sentences) => {
    expect(sentencesOf(text)).toEqual(sentences);
  });
});

describe('lists', () => {
  it.each([
    ['1. one\n2. two\n3. three', 3],
    ['Three ideas: (A) a cat cafe, (B) a night library, (C) a sauna.', 3],
    ['候補です。\n①朝霧 ②柊 ③蓮', 3],
    ['一つ目は寺、二つ目は庭園、三つ目は川です。', 3],
    ['案A：朝\n案B：夜', 2],
    ['**1. Aurora** – warm\n\n**2. Birch** – cool', 2],
    ['### 1. Aurora\ntext\n### 2. Birch\ntext', 2],
    ['１．朝\n２．昼\n３．夜', 3],
    ['- tea\n- rice\n- salt', 3],
    ['・寺\n・庭', 2],
    ['First, wash. Second, dry. Third, fold.', 3],
    ['a. tea\nb. rice\nc. salt', 3],
    ['i. tea\nii. rice', 2],
    ['1️⃣ tea\n2️⃣ rice', 2],
    ['● 茶\n● 米', 2],
    ['イ．茶\nロ．米', 2],
    ['Day 1: tea\nDay 2: rice', 2],
    ['**Option 1 (cheap)** – tea\n**Option 2** – rice', 2],
    ['They wrapped a\nb and a\nc. So it is.', 0],
    ['The year 1984. Nothing (see (2)) is a list here.', 0],
    ['It costs 3. 5 people came.', 0],
  ])('in %j', (text, count) => {
    expect(findList(text)?.items.length ?? 0).toBe(count);
  });
});

describe('a summary without a model', () => {
  it.each([
    [
      'デッドロックが起きます。どうすればいい？',
      '二つのトランザクションが逆の順でロックしているためです。常に id の小さい順に更新してください。再試行も入れておくと安全です。',
      /小さい順に更新/,
    ],
    [
      '6月に家族4人で北海道を旅行したい。予算は30万円、温泉に入りたい。',
      '登別温泉を拠点に3泊4日をお勧めします。航空券が16万円、宿が9万円、レンタカーが3万円ほどで、予算に収まります。',
      /^6月に家族4人で北海道を旅行したい。/,
    ],
    [
      '38歳、デスクワークです。3か月で5キロ痩せたいのですが、走るのは嫌いです。',
      '週0.4キロを目安に、1日400kcal減らしましょう。毎日40分歩き、週2回筋トレをすると続けやすいです。',
      /5キロ痩せたい/,
    ],
  ])('of %j has what it is about', (prompt, response, wanted) => {
    expect(summarize(prompt, response, { maxWords: 50, maxTokens: 50 })).toMatch(wanted);
  });

  it('keeps the number and the beginning of each item of a list', () => {
    const items = Array.from(
      { length: 12 },
      (_, at) => `${at + 1}. Place ${at + 1}: ${'a long story about it '.repeat(9)}`,
    );
    const summary = summarize('Give me twelve places.', items.join('\n'), LIMITS);
    for (let at = 1; at <= 12; at++) expect(summary).toMatch(new RegExp(`(?:^| )${at}\\.`));
    const numbered = summarize('案を七つ', '①春 ②夏 ③秋 ④冬 ⑤朝 ⑥昼 ⑦夜', LIMITS);
    expect(numbered).toContain('⑦ 夜');
  });

  it('keeps a yes to a question, and what the items of a list belong to', () => {
    const fine = 'Honey is unsafe only below 12 months.';
    expect(summarize('Can my child have honey?', `Yes. ${fine}`, LIMITS)).toContain(`Yes. ${fine}`);
    expect(summarize('Write a note on honey.', `Yes. ${fine}`, LIMITS)).not.toContain('Yes');
    const sides = 'Pros:\n- no commute\n- own hours\n\nCons:\n- isolation\n- no borders';
    const summary = summarize('Remote work?', sides, LIMITS);
    expect(summary).toContain('2. own hours; 3. (Cons) isolation');
  });

  it('keeps the first sentence of the answer, no courtesy, no twin', () => {
    const more =
      'この点は後で詳しく説明しますので、先に進む前に全体の流れを確認してください。'.repeat(6);
    const summary = summarize(
      '医療費控除には何が必要？',
      `もちろんです。領収書と明細書が必要です。領収書と明細書が必要です。${more}`,
      LIMITS,
    );
    expect(summary).toContain('領収書と明細書が必要です。');
    expect(summary).not.toContain('もちろん');
    expect(summary.split('明細書')).toHaveLength(2);
  });

  it('never ends within brackets', () => {
    for (let words = 3; words < 40; words++) {
      const summary = summarize(
        '題は？',
        `題は「${'長い雨の夜に猫が歩いた話、'.repeat(8)}」です。`,
        { maxWords: words },
      );
      expect(summary.split('「').length).toBe(summary.split('」').length);
    }
  });
});

describe('a summary by a model is read', () => {
  const told = { summary: 'Cats are named.', tags: ['cats', 'names'] };
  it.each([
    'Summary: Cats are named.\nTags: cats, names',
    '<summary>Cats are named.</summary>\n<tags><tag>cats</tag><tag>names</tag></tags>',
    '<digest><summary>\nCats are named.\n</summary> <tags>cats, names</tags>',
    'Here it is:\n```json\n{"summary": "Cats are named.", "tags": ["cats", "names",]}\n```',
    '| Summary | Cats are named. |\n|---|---|\n| Tags | cats, names |',
    'TL;DR: Cats are named.\nTags: cats／names',
    'Résumé : Cats are named.\nMots-clés : cats, names',
    '「要約」Cats are named.\n「タグ」cats、names',
    "{'summary': 'Cats are named.', 'tags': ['cats', 'names']}",
    '{summary: "Cats are\nnamed.", tags: ["cats", "names"]}',
    '{"summary":"Cats are named.","tags":["cats","names"',
    '**Summary:** Cats are named.\n\n**Tags:** cats, names',
    '## Summary\n\nCats are named.\n\n## Tags\n\n- cats\n- names',
    '# 要約\nCats are named.\n# タグ\n1. cats\n2. names',
    '【要約】Cats are named.\n【タグ】#cats #names',
    '【要約】\nCats are named.\n\n【キーワード】\ncats、names',
    '{"summary": "Cats are named.", "tags": ["cats", "names"]}',
    'Here it is:\n```json\n{"要約": "Cats are named.", "タグ": "cats、names"}\n```',
    '{"result": {"Summary": "Cats are named.", "keywords": [{"name": "cats"}, {"name": "names"}]}}',
    'Cats are named.\n\n#cats #names',
    '<think>Summary: no</think>要約：Cats are named.\nタグ：cats，names',
    '1. 要約: Cats are named.\n2. タグ: `cats`, `names`',
    'Summary: "Cats are named."\nKeywords: cats; names',
    '要約: Cats are named. タグ: cats, names',
  ])('%j', (answer) => {
    expect(readDigest(answer)).toEqual(told);
  });

  it.each([
    ['Explains `{summary: "x"}` in JSON configs.\nTags: json', 'json'],
    ['The config {"description": "short", broken} is explained.\n#config', 'config'],
    ['Summary: How to write {tags: ["a"], summary: "b"} is shown.\nTags: json', 'json'],
    ['Summary: How to use <label> for inputs.\nTags: html', 'html'],
    ['Explains how the <label> and <summary> elements work.\nTags: html', 'html'],
    ['Summary: An <label>Age</label> element names its input.\nTags: html', 'html'],
    ['Shows <details><summary>More</summary></details> of HTML.\nTags: html', 'html'],
    ['Summary: The list has <topic>, <tag>\nand <description> in RSS.\nTags: rss', 'rss'],
  ])('from %j, which names fields or elements', (answer, tag) => {
    const [first = ''] = answer.split(/\n(?=Tags|#)/);
    const summary = first.replace('Summary: ', '').replaceAll('`', '').replace('\n', ' ');
    expect(readDigest(answer)).toEqual({ summary, tags: [tag] });
  });

  it.each([
    ['A config is shown:\n{"summary": "x", ...}\nand explained in full.\nTags: json', ['json']],
    ['How to write JSON such as this:\n{"summary": "x", ...} is explained.\nTags: json', ['json']],
    [
      'Explains this config:\n```json\n{"description": "my app", // comment\n}\n```\nTags: json, config',
      ['json', 'config'],
    ],
  ])('not from JSON that is a part of %j', (answer, tags) => {
    const digest = readDigest(answer);
    expect(digest.tags).toEqual(tags);
    expect(['x', 'my app']).not.toContain(digest.summary);
  });

  it('in linear time from tags that nothing ends', () => {
    expect(readDigest(`Cats are named.\n${'<tag>'.repeat(3900)}`).summary).not.toBe('');
    expect(readDigest(`Cats are named.${' '.repeat(19_000)}<b>.`).summary).not.toBe('');
  });

  it.each(['I cannot do that.', '', 'タグ: 猫', 'すみません、できません。'])(
    'not from %j',
    (answer) => {
      expect(readDigest(answer).summary).toBe('');
    },
  );
});

describe('a summary of 50 tokens', () => {
  it.each([
    [
      'says what a plan is for, not that one is wanted',
      '京都へ2人で3日間、予算は9万円、庭園が好きです。計画を立てて。',
      '1日目：嵐山の竹林と天龍寺の庭。2日目：銀閣寺、哲学の道、南禅寺。3日目：桂離宮（要予約）。',
      /^京都へ2人で3日間.*嵐山/,
    ],
    [
      'has the beginning of an answer after a long question',
      '次の文を丁寧にして。「また壊れたから早く直してよ」',
      '「再び不具合が発生しましたので、お手数ですが早めにご対応いただけますでしょうか。」としてはいかがでしょうか。',
      /丁寧.*再び不具合/,
    ],
    [
      'has no lines of a log',
      'ログです。\n2026-05-01T10:00:00Z ERROR db timeout after 30000ms\n2026-05-01T10:00:01Z INFO retry 1\n何が起きましたか？',
      'データベースが30秒以内に応答せず、タイムアウトしました。1秒後の再試行から、短い停止と考えられます。接続数を増やしてください。',
      /^ログです。何が起きましたか？データベース/,
    ],
  ])('%s', (_what, prompt, response, wanted) => {
    expect(summarize(prompt, response, { ...LIMITS, maxTokens: 50 })).toMatch(wanted);
  });
});
