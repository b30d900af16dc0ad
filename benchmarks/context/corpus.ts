/** A fact in the middle of a long turn, and a question that only it answers. */
export interface Fact {
  readonly language: 'ja' | 'en';
  readonly topic: string;
  readonly fact: string;
  /** In other words than the fact, apart from some. */
  readonly question: string;
  /** The piece of the fact that answers; it is nowhere else in the conversation. */
  readonly answer: string;
}

type Row = readonly [topic: string, fact: string, question: string, answer: string];

const ENGLISH: readonly Row[] = [
  [
    'the staging database',
    'The credentials of the staging database are rotated every nine days by a job called Heron.',
    'How often do we change the password of the staging database?',
    'every nine days',
  ],
  [
    'the café opening',
    'The opening party was moved to 14 March because the floor needs a week to dry.',
    'When will we celebrate the opening of the café?',
    '14 March',
  ],
  [
    'the cats',
    'Mugi, the grey cat, must never be given salmon since she gets a rash from it.',
    'Which food should we keep away from Mugi?',
    'given salmon',
  ],
  [
    'the billing service',
    'Invoices above 40,000 yen need the signature of Ms. Okabe before they leave.',
    'Who has to approve large invoices?',
    'Ms. Okabe',
  ],
  [
    'the mobile app',
    'We froze the minimum supported version at Android 11 as the camera library breaks below it.',
    'What is the oldest Android that the app supports?',
    'Android 11',
  ],
  [
    'the novel',
    'In chapter six the lighthouse keeper turns out to be the sister of the mayor.',
    'How is the lighthouse keeper related to others in the story?',
    'sister of the mayor',
  ],
  [
    'the garden',
    'The tomatoes are planted along the south wall, where the soil was limed two years ago.',
    'Where do the tomatoes grow?',
    'along the south wall',
  ],
  [
    'the trip to Hokkaido',
    'Our ferry to Otaru leaves from Niigata at 23:15, so dinner has to be early.',
    'At what time does the ferry for Otaru depart?',
    '23:15',
  ],
  [
    'the search engine',
    'After the trial we set the reranker to keep 37 candidates, more only made it slower.',
    'How many candidates does the reranker keep?',
    '37 candidates',
  ],
  [
    'the training plan',
    'The long run is on Thursdays this season because the track is closed at weekends.',
    'On which day do I do my long run?',
    'on Thursdays',
  ],
  [
    'the compiler',
    'The parser gives up after 250 errors and prints a single summary line instead.',
    'After how many errors does the parser stop?',
    '250 errors',
  ],
  [
    'the choir',
    'The altos rehearse in the library annex until the heating of the hall is repaired.',
    'Where are rehearsals of the altos held for now?',
    'library annex',
  ],
  [
    'the thesis',
    'Professor Lindqvist asked for the ethics form to be attached as appendix D.',
    'In which appendix does the ethics form belong?',
    'appendix D',
  ],
  [
    'the bakery',
    'The rye starter is fed at five in the morning with water of 28 degrees.',
    'How warm should the water for the rye starter be?',
    '28 degrees',
  ],
  [
    'the warehouse',
    'Pallets with lithium cells go to bay 17, which has its own sprinklers.',
    'In which bay do we store lithium cells?',
    'bay 17',
  ],
  [
    'the newsletter',
    'Subscribers who do not open a mail for 120 days are moved to the quiet list.',
    'When is a subscriber put on the quiet list?',
    '120 days',
  ],
  [
    'the robot arm',
    'The gripper was recalibrated to a force of 6.5 newtons after it crushed two cups.',
    'What force does the gripper use now?',
    '6.5 newtons',
  ],
  [
    'the lease',
    'The landlord accepted a notice period of seven weeks instead of three months.',
    'How long is our notice period with the landlord?',
    'seven weeks',
  ],
  [
    'the podcast',
    'Episode twelve was recorded with the spare microphone, so its sound needs the warm filter.',
    'Which filter does the sound of episode twelve need?',
    'warm filter',
  ],
  [
    'the authentication',
    'Refresh tokens are kept in the table session_grants and hashed with argon2id.',
    'Which table holds our refresh tokens?',
    'session_grants',
  ],
];

const JAPANESE: readonly Row[] = [
  [
    '予約システム',
    '同じ利用者が無断で来なかった予約が三回になると、六十日間は新しい予約を受け付けません。',
    '無断キャンセルを繰り返した利用者の予約はどのくらい止まりますか？',
    '六十日間',
  ],
  [
    '猫の健康',
    '三毛のハナは腎臓が弱いので、おやつは減塩の煮干しだけにしてください。',
    'ハナに与えてよいおやつは何でしたか？',
    '減塩の煮干し',
  ],
  [
    '認証基盤',
    '管理者のログインにはセキュリティキーを使い、予備は金庫の二段目に入れてあります。',
    '管理者用セキュリティキーの予備はどこにありますか？',
    '金庫の二段目',
  ],
  [
    '引っ越し',
    '冷蔵庫は前日の夜八時までに電源を抜くように業者から言われました。',
    '業者の話では冷蔵庫の電源はいつまでに抜くのですか？',
    '前日の夜八時',
  ],
  [
    '小説の設定',
    '主人公の妹は雨の音を聞くと未来の断片を見る力を持っています。',
    '主人公の妹にはどんな力がありますか？',
    '未来の断片',
  ],
  [
    '料理教室',
    '味噌は大豆と麹を一対二の割合で仕込むことに決めました。',
    '味噌を仕込むときの大豆と麹の比率は？',
    '一対二',
  ],
  [
    '配送',
    '北海道への配送は追加で八百五十円をいただき、沖縄は一律とします。',
    '北海道に送るときの追加料金はいくらですか？',
    '八百五十円',
  ],
  [
    '検索エンジン',
    '索引の更新は毎時十七分に始まり、終わるまで古い索引で答えます。',
    '索引が更新されるのは毎時何分ですか？',
    '毎時十七分',
  ],
  [
    '旅行',
    '金沢の宿は川沿いの「山鳥荘」にして、朝食を付けました。',
    '金沢ではどの宿に泊まる予定ですか？',
    '山鳥荘',
  ],
  [
    '学会発表',
    '発表の持ち時間は十二分で、質疑はその後にまとめて行われます。',
    '学会で発表できる時間はどれだけですか？',
    '十二分で',
  ],
  [
    '庭',
    '紫陽花は花が終わったらすぐ、二節目の上で剪定するとよいそうです。',
    '紫陽花の剪定はどの位置でするのがよいですか？',
    '二節目の上',
  ],
  [
    '水槽',
    '水槽の水は四日ごとに三分の一だけ替え、カルキ抜きを忘れないこと。',
    '水槽の水替えは何日おきにしますか？',
    '四日ごと',
  ],
  [
    '会計',
    '領収書の原本は税理士の西園寺さんに四半期ごとに郵送します。',
    '領収書の原本は誰に送りますか？',
    '西園寺さん',
  ],
  [
    'バックエンド',
    '画像の変換は専用の待ち行列 image-low に入れ、同時に三件まで動かします。',
    '画像変換に使う待ち行列の名前は？',
    'image-low',
  ],
  [
    '文化祭',
    '教室の飾り付けの係は緑の腕章を着け、夕方五時に集合します。',
    '飾り付けの係はどんな目印を着けますか？',
    '緑の腕章',
  ],
  [
    '翻訳',
    '固有名詞の「Yomogi」は訳さずに、初出だけ括弧で読みを添えます。',
    '固有名詞のYomogiは初出でどう扱いますか？',
    '括弧で読みを添え',
  ],
  [
    '音楽制作',
    'サビの転調は半音ではなく短三度上げることで合意しました。',
    'サビではどれだけ転調しますか？',
    '短三度',
  ],
  [
    '防災',
    '集合場所は小学校の校庭ではなく、坂の上の天満神社に変わりました。',
    '災害のときの集合場所はどこになりましたか？',
    '天満神社',
  ],
  [
    '登山',
    '下山の締め切りは十四時半で、それを過ぎたら小屋に泊まります。',
    '何時を過ぎたら下山せずに小屋に泊まりますか？',
    '十四時半',
  ],
  [
    '採用',
    '二次面接では課題の代わりに既存コードの読み合わせを四十五分行います。',
    '二次面接では何をしますか？',
    '読み合わせを四十五分',
  ],
];

const toFact =
  (language: Fact['language']) =>
  ([topic, fact, question, answer]: Row): Fact => ({ language, topic, fact, question, answer });

/** 20 facts in each language. */
export const FACTS: readonly Fact[] = [...ENGLISH.map(toFact('en')), ...JAPANESE.map(toFact('ja'))];

const SENTENCES = {
  en: [
    'For {a} I would start with what is known about {b} and write down what is missing.',
    'One way is to compare {a} with {c} and to keep the simpler one.',
    'People who worked on {b} before tend to underestimate how long the last tenth takes.',
    'If the {c} changes later, nothing that we decide about {a} today is lost.',
    'A small test with three people tells more than a long debate about {b}.',
    'Note that {c} and {b} depend on each other, so change one at a time.',
    'The costs are mostly in {b}; the rest can wait until next month.',
    'We talked about {c} last week, and the reasons still hold.',
    'It helps to give {a} a name and an owner, and to review it every month.',
    'There is a list of open questions about {b}, which I would answer in order.',
    'Whether {c} is worth it depends on how often {a} is really needed.',
    'In short: keep {a} small, measure {b}, and postpone {c}.',
  ],
  ja: [
    '{a}については、まず{b}について分かっていることを書き出すのがよいと思います。',
    '{a}と{c}を比べて、単純なほうを選ぶのも一つの方法です。',
    '{b}を経験した人ほど、最後の一割にかかる手間を少なく見積もりがちです。',
    'あとで{c}が変わっても、いま{a}について決めたことは無駄になりません。',
    '{b}について長く議論するより、三人に試してもらうほうが早いでしょう。',
    '{c}と{b}は互いに影響するので、一度に一つずつ変えてください。',
    '費用の大半は{b}にかかります。残りは来月でも構いません。',
    '{c}のことは先週も話しましたが、理由は今も同じです。',
    '{a}には名前と担当者を決めて、毎月見直すと安心です。',
    '{b}の未解決の質問が一覧になっているので、上から順に答えましょう。',
    '{c}に価値があるかどうかは、{a}が本当に必要な頻度で決まります。',
    'まとめると、{a}は小さく保ち、{b}を測り、{c}は後回しにします。',
  ],
} as const;

const ASKS = {
  en: [
    'How should we go on with {a}?',
    'What do you think about {a} and {b}?',
    'Can you review the plan for {a}, please?',
    'Is there a risk in {a} that we overlooked?',
  ],
  ja: [
    '{a}はこれからどう進めましょうか？',
    '{a}と{b}についてどう思いますか？',
    '{a}の計画を見直してもらえますか？',
    '{a}で見落としている危険はありませんか？',
  ],
} as const;

/** Things that every topic is talked about with; many are words of the facts and questions. */
const THINGS = {
  en: 'password,opening,food,invoice,version,story,wall,departure,candidates,season,errors,rehearsal,appendix,water,storage,subscriber,force,period,sound,table,database,party,library,camera,chapter,soil,dinner,trial,track,summary,heating,form,morning,sprinkler,mail,cups,landlord,microphone,token,schedule'.split(
    ',',
  ),
  ja: '予約,利用者,おやつ,管理者,予備,冷蔵庫,電源,業者,主人公,雨の音,大豆,割合,北海道,追加料金,索引,更新,宿,朝食,発表,質疑,紫陽花,剪定,水槽,水替え,領収書,原本,画像,待ち行列,係,集合,固有名詞,初出,サビ,転調,災害,校庭,下山,小屋,面接,課題'.split(
    ',',
  ),
} as const;

/** A turn of the conversation. */
export interface CorpusTurn {
  readonly prompt: string;
  readonly response: string;
}

/**
 * A conversation of many long and varied turns in two languages. Each fact is one sentence in the
 * middle of one answer; the words of facts and questions are all over the other turns.
 */
export function corpus(turns: number): readonly CorpusTurn[] {
  let seed = 20_261;
  const random = (limit: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((seed / 2_147_483_648) * limit);
  };
  const pick = <T>(list: readonly T[]): T => list[random(list.length)] as T;
  const step = Math.floor((turns - 20) / FACTS.length);
  return Array.from({ length: turns }, (_, turn) => {
    // Facts lie all over the conversation, the last ones twenty turns back.
    const place = turn % step === 3 ? Math.floor(turn / step) : -1;
    const planted = place < 0 ? undefined : FACTS[(place * 7) % FACTS.length];
    const language = planted?.language ?? pick(['en', 'ja'] as const);
    const topics = FACTS.filter((fact) => fact.language === language).map(({ topic }) => topic);
    const topic = planted?.topic ?? pick(topics);
    const fill = (pattern: string): string =>
      pattern
        .replaceAll('{a}', topic)
        .replaceAll('{b}', pick(THINGS[language]))
        .replaceAll('{c}', pick(THINGS[language]));
    const sentences = Array.from({ length: 6 + random(8) }, () => fill(pick(SENTENCES[language])));
    if (planted && place < FACTS.length) {
      sentences.splice(2 + random(sentences.length - 3), 0, planted.fact);
    }
    const paragraph = sentences.join(language === 'en' ? ' ' : '');
    return { prompt: fill(pick(ASKS[language])), response: paragraph };
  });
}
