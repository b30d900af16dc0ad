import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PlainTextChunkingStrategy } from '@vizprompt/rag';
import { runs } from '../../../../providers/test/support/fuzz.ts';
import { chunk } from '../../support/chunk-checks.ts';

const strategy = new PlainTextChunkingStrategy();
const PROSE = '　灯台守の娘は、濡れた石の階段を駆け上がった。';

/** The paths of the headings of a text, one for each section. */
async function paths(text: string): Promise<readonly string[]> {
  const chunks = await chunk(strategy, text);
  return [...new Set(chunks.map(({ headingPath }) => headingPath.join(' > ')))];
}

/** Headings as sites for novels, magazines and manuscripts write them, and the title that they give. */
const HEADINGS: readonly (readonly [line: string, title?: string])[] = [
  ['── 第一章 ──', '第一章'],
  ['* * * プロローグ * * *', 'プロローグ'],
  ['挿話　灯台守', '挿話 灯台守'],
  ['巻ノ一　港', '巻ノ一 港'],
  ['第EX話　港', '第EX話 港'],
  ['最終章〜港〜', '最終章〜港'],
  ['第1-2話　港', '第1-2話 港'],
  ['第三膳　鯵の開き', '第三膳 鯵の開き'],
  ['一の巻　港', '一の巻 港'],
  ['春の章　一', '春の章 一'],
  ['本編　１', '本編 １'],
  ['SS①　港', 'SS① 港'],
  ['IFルート　港', 'IFルート 港'],
  ['【1】港'],
  ['〔二〕港'],
  ['≪3≫ 港'],
  ['シーン1：嵐の夜'],
  ['チャプター１　嵐の夜', 'チャプター１ 嵐の夜'],
  ['エピソード二'],
  ['ステージ３「灯」'],
  ['TRACK 01'],
  ['一話目　嵐の夜', '一話目 嵐の夜'],
  ['第2章目'],
  ['第拾話　帰還', '第拾話 帰還'],
  ['壱ノ章'],
  ['巻之三'],
  ['第1　嵐の夜', '第1 嵐の夜'],
  ['No.3 嵐の夜'],
  ['№4 鍵'],
  ['♯5 灯'],
  ['嵐の夜（1）'],
  ['嵐の夜（後編）'],
  ['嵐の夜　その２', '嵐の夜 その２'],
  ['嵐の夜　前編', '嵐の夜 前編'],
  ['嵐の夜　③', '嵐の夜 ③'],
  ['四月一日　晴れ', '四月一日 晴れ'],
  ['2025年4月1日（火）'],
  ['～嵐の夜～', '嵐の夜'],
  ['※※※ 鍵 ※※※', '鍵'],
  ['第一章'],
  ['第1章'],
  ['第１２章　嵐の夜', '第１２章 嵐の夜'],
  ['第十二章：鍵'],
  ['第三話「羅針盤」'],
  ['第百二話　帰還！', '第百二話 帰還！'],
  ['　　第二章　手紙', '第二章 手紙'],
  ['【第3話】', '第3話'],
  ['【第四話　灯】', '第四話 灯'],
  ['【第五話】 海鳴り', '第五話 海鳴り'],
  ['〈第一夜〉', '第一夜'],
  ['■第六章■', '第六章'],
  ['――第七章――', '第七章'],
  ['＊第八章＊', '第八章'],
  ['本編　第一話', '本編 第一話'],
  ['シーズン2 第1話 再会'],
  ['三章　石段', '三章 石段'],
  ['12話'],
  ['第一部　灯', '第一部 灯'],
  ['第二幕'],
  ['第五巻'],
  ['第一節'],
  ['第Ⅲ章'],
  ['第③話'],
  ['序章'],
  ['終章　朝', '終章 朝'],
  ['最終話'],
  ['最終章：帰港'],
  ['前編'],
  ['プロローグ'],
  ['プロローグ　波の音', 'プロローグ 波の音'],
  ['【プロローグ】', 'プロローグ'],
  ['《エピローグ》', 'エピローグ'],
  ['幕間'],
  ['幕間２'],
  ['幕間　灯台守の独白', '幕間 灯台守の独白'],
  ['閑話　その二', '閑話 その二'],
  ['番外編②'],
  ['後日談'],
  ['あとがき'],
  ['はじめに'],
  ['登場人物紹介'],
  ['キャラクター紹介'],
  ['設定資料'],
  ['IF編'],
  ['特典SS　夏', '特典SS 夏'],
  ['回想'],
  ['3-2'],
  ['３－２　再会', '３－２ 再会'],
  ['1-10. 決戦'],
  ['第1章－1'],
  ['第7.5話　幕間', '第7.5話 幕間'],
  ['「一」', '一'],
  ['（前編）', '前編'],
  ['上'],
  ['第三十一'],
  ['其ノ壱'],
  ['巻の二'],
  ['承の章'],
  ['Day 3'],
  ['Side：勇者'],
  ['【アリス視点】', 'アリス視点'],
  ['その三'],
  ['Chapter 3'],
  ['CHAPTER IV'],
  ['Chapter Twelve: The Storm'],
  ['Part Two'],
  ['Prologue'],
  ['Act I'],
  ['◆灯台守の娘', '灯台守の娘'],
  ['◇ 三日後 ◇', '三日後'],
  ['１'],
  ['(2)', '2'],
  ['三'],
  ['Ⅳ'],
  ['#5', '5'],
  ['1. 嵐の夜'],
  ['①嵐の夜'],
  ['①とある夜'],
  ['②にわか雨'],
  ['③かもめの歌'],
  ['①もう会えない'],
  ['①とまらない'],
  ['①はなさない'],
  ['①かなわない'],
  ['①にどと会えない'],
  ['①はじめての恋だ'],
  ['①とある魔術師の弟子は目立たない'],
  ['⑫鍵'],
  ['❸はじまり'],
  ['㈠ 港', '㈠ 港'],
  ['一、出会い'],
  ['Ⅱ　箱', 'Ⅱ 箱'],
  ['#12 帰港'],
  ['Episode.4 霧笛'],
  ['ep7 霧笛'],
  ['Act.2'],
  ['Stage 3'],
  ['Vol.2 灯', 'Vol.2 灯'],
  ['－４－', '４'],
  ['- 9 -', '9'],
  ['〈７〉', '７'],
  ['三日目'],
  ['[chapter:霧の港]', '霧の港'],
  ['제3장 항구'],
  ['프롤로그'],
  ['Chapter 1: Who Goes There?'],
  ['Chapter 12 — Run!'],
  ['Epilogue: What Now?'],
  ['Day 3: The Storm'],
  ['Case 2 — The Key'],
  ['Day 3 嵐の夜'],
  ['Lesson 4'],
  ['Round②'],
  ['IF'],
  ['SS2'],
  ['番外SS'],
  ['IF編：もしも'],
  ['アリスside'],
  ['アリス Side'],
  ['Side 勇者'],
  ['SIDE・アリス'],
  ['アリスサイド'],
  ['勇者の場合'],
  ['1.2 海図'],
  ['「第12」', '第12'],
  ['下巻'],
  ['第二节 港口'],
  ['楔子'],
  ...(
    '断章１|scene:5|Phase-03 港|DAY-3 港|シーン：５|第3章その2|キャラ紹介|第一幕第一場|春|四月|Lv.1 港|File No.1 港|港（1/3）|' +
    '第3話 そして、朝が来る。|第12話「逃げろ、今すぐに」|第十三・五話 幕間|第三席 饅頭こわい|SS クリスマス|【SS】夏祭り|IF もしも灯がなかったら|視点：アリス|CHAPTER III.|IX. THE STORM AT SEA|' +
    'Bonus Chapter|Extra Episode 2|巻二 港|結び|序論|前回のあらすじ|謝辞|参考文献|場面１|カット３：夜の港|事件２ 密室|初日|最終日|' +
    'No. 12 港|大正十二年九月一日|2024/04/01'
  )
    .split('|')
    .map((line): readonly [string, string] => [line, line.replace(/^【(.+)】(.+)$/u, '$1 $2')]),
];

/** Lines of a story or a note that look like headings and are none. */
const PROSE_LINES: readonly string[] = [
  'Lv：5',
  'Level: 5',
  'LEVEL：5　剣士',
  'Day: 3',
  'Phase: 2',
  'stage: 3',
  'file: 4',
  'ステージ：３',
  'ラウンド：２',
  '一、二、三、と数えた',
  '1. を選んだ',
  '余談だが彼は来た',
  '開幕から走った',
  'シーン1つを取り直した',
  'パート1人目の客',
  '第1印象は悪かった',
  '一話目を読んだ',
  '四月一日に来た人',
  '彼は言った（小声で）',
  '（後編に続く）',
  '～♪～',
  '――まさか――',
  '4月1日、雨だった',
  '第一章を読み終えた。',
  '第一印象は悪くなかった',
  '第二次世界大戦',
  '第三者の目で見る',
  '第一部隊は北へ向かった',
  '第一回戦',
  '第二声を待った',
  '春の海',
  '四月の雪',
  '【注】港',
  '第五話数',
  '三日目の朝だった。',
  '「第一章」',
  '「プロローグ、読んだ？」',
  '幕間の客席は静かだった。',
  '序列は変わらない',
  '解説者が言う。',
  '一緒に行こう',
  '四季',
  '十七歳',
  '2025年',
  '◆。',
  '……',
  '＊＊＊',
  '◇◆◇',
  'Chapter and verse',
  'Chi',
  'Vol au vent',
  'Stage left',
  'Episodic',
  '三日目の朝',
  '－－',
  '제비가 온다',
  '外传来一声',
  'I see',
  'parting is sweet sorrow.',
  'Part of it was gone',
  'はい',
  '1. 水を入れる。',
  '①水を入れる。',
  '①と②の違い',
  '①②③',
  '②を選ぶ',
  '①が正解だと彼は言った',
  '①へ行く？',
  '③にする！',
  '①はそのまま',
  '㊀でいいよ',
  '②では足りない',
  '②から順に',
  '①君が好きだ……',
  'Episode 3 was the best one, he said.',
  '3-2で負けた。',
  '「二人」',
  '上を見た',
  '視点を変えよう',
  '彼は第二章　の原稿を、机に置いた。',
  'If you can keep your head when all about you',
  'if she only knew',
  'IF she only knew',
  'SS Minnow was the ship',
  'Day I met her',
  'Case 2 is closed',
  'Case 2.5 is closed',
  'Case 2, which is closed',
  'Round one went to her',
  'On the other side',
  'Outside',
  'Sidewalk',
  'Side effects',
  'その場合',
  'プールサイド',
  'ベッドサイド',
  '3.14',
  '上場',
  '下段',
  'Total cost (1200)',
  'See the note (1)',
  'John Smith (1990)',
  '売上（1200）',
  '[1] 山田太郎 『海の本』 2010年',
  '［2］ 鈴木次郎 『山の本』',
  '（1）港の説明',
  '(1) 港の説明',
  '<1> 準備する',
  '〈1〉 準備する',
  '*whispers*',
  '* item one *',
  '= x + y =',
  ...'第3話「ありがとう」と彼は言った。|第一章「嵐」を読み終えて、本を閉じた。|第三話 これを読んで、私は泣いた。|第1回 会議は、来週の月曜に行う。|第2回 説明会を開きます。参加希望の方は、メールをください。|第一部（1945年まで）は、戦争の話である。|第一節：3対2、逆転勝利だった。|第1話 見ました。面白かったです。|第一の理由|第二の問題|SS 席は売り切れ|SS を書いた|IF のとき|IF 関数の使い方|第3話 を書いた、眠い。|第一話を読んで、泣いた。|第三の男が来た|SS席を買った|I. Newton|V. is gone|12:45|◇ ◇ ◇|★　★　★|場面が変わる|結論から言うと、駄目だ|三本目の矢|第一の男|第三の扉|一本目|三通目|I. HATE YOU|V. IS GONE|昭和二十年|初日から雨だった|Special thanks'.split(
    '|',
  ),
];

describe('a line that names a chapter', () => {
  it.each(HEADINGS)('%s', async (line, title = line) => {
    expect(await paths(`${PROSE}\n\n${line}\n\n${PROSE}\n`)).toEqual(['', title]);
    expect(await paths(`${line}\n\n${PROSE}\n`)).toEqual([title]);
  });

  it.each(PROSE_LINES)('is not %s', async (line) => {
    expect(await paths(`${PROSE}\n\n${line}\n\n${PROSE}\n`)).toEqual(['']);
  });

  it.each(['上場', '下段', '上部', '下回'])('is not %s before a blank line', async (line) => {
    expect(await paths(`${PROSE}\n${line}\n\n${PROSE}\n`)).toEqual(['']);
  });

  it('is no number that is said', async () => {
    const said = ['「三」', '「二」', '「一」'];
    expect(await paths([PROSE, ...said, PROSE].join('\n\n'))).toEqual(['']);
    expect(await paths([PROSE, '「12」', '「多いな」', PROSE].join('\n\n'))).toEqual(['']);
    expect(await paths([PROSE, '「いくつ？」', '「12」', PROSE].join('\n\n'))).toEqual(['']);
  });

  it.each(['━━━━━━━━', '==========', '************', '―――――'])(
    'is between two lines %s',
    async (rule) => {
      const text = `${rule}\n第一話　嵐の夜\n${rule}\n${PROSE}\n${rule}\n第二話　鍵\n${rule}\n${PROSE}\n`;
      expect((await paths(text)).filter((path) => path !== '')).toEqual([
        '第一話 嵐の夜',
        '第二話 鍵',
      ]);
    },
  );

  it('is none within a paragraph', async () => {
    const lines = [PROSE, '第一章', PROSE, '１', PROSE, '◆灯', PROSE];
    expect(await paths(lines.join('\n'))).toEqual(['']);
  });
});

describe('chapters of a text', () => {
  it('are below their parts', async () => {
    const text = [
      '第一部　灯',
      '第一章',
      PROSE,
      '1',
      PROSE,
      '2',
      PROSE,
      '第二章',
      PROSE,
      '第二部',
      PROSE,
    ];
    expect(await paths(text.join('\n\n'))).toEqual([
      '第一部 灯 > 第一章',
      '第一部 灯 > 第一章 > 1',
      '第一部 灯 > 第一章 > 2',
      '第一部 灯 > 第二章',
      '第二部',
    ]);
  });

  it('are no list of contents', async () => {
    const contents = ['目次', '第一章　嵐', '第二章　鍵', '第三章　朝'];
    const text = [contents.join('\n'), '第一章　嵐', PROSE, '第二章　鍵', PROSE];
    expect(await paths(text.join('\n\n'))).toEqual(['', '第一章 嵐', '第二章 鍵']);
  });

  it('keep their lines in the text, with the place in the file', async () => {
    const [first, second] = await chunk(strategy, `${PROSE}\n\n第二章\n\n${PROSE}\n`);
    expect(first).toMatchObject({ title: '', startLine: 1, endLine: 1 });
    expect(second).toMatchObject({ title: '第二章', startLine: 3, endLine: 5 });
    expect(second?.content).toBe(`第二章\n\n${PROSE}`);
  });

  it('of pixiv need no blank lines, nor do chapters after a new page', async () => {
    const text = `[chapter:嵐]\n${PROSE}\n[chapter:鍵]\n${PROSE}\n[newpage]\n第三章\n${PROSE}\n`;
    expect(await paths(text)).toEqual(['嵐', '鍵', '第三章']);
  });

  it('are left alone where they are switched off', async () => {
    const off = new PlainTextChunkingStrategy({ chapters: false });
    const chunks = await chunk(off, `第一章\n\n${PROSE}\n\n第二章\n\n${PROSE}`);
    expect(chunks.map(({ headingPath }) => headingPath)).toEqual([[]]);
    expect(off.id).not.toBe(strategy.id);
  });

  it('lose no character, whatever the lines are', () => {
    const line = fc.constantFrom(...HEADINGS.map(([text]) => text), ...PROSE_LINES, PROSE, '', '');
    return fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 30 }), async (lines) => {
        const chunks = await chunk(new PlainTextChunkingStrategy({ overlap: 0 }), lines.join('\n'));
        const kept = chunks.map(({ content }) => content).join('\n');
        expect(kept.replaceAll(/\s/gu, '')).toBe(lines.join('').replaceAll(/\s/gu, ''));
      }),
      { numRuns: runs(50) },
    );
  });
});
