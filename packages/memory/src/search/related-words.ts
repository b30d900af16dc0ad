/**
 * Kinds of things with members that people name, and forms of one word. A question asks for the kind (`which
 * desserts`), and what was said names the member (`brownies`), which no count of words connects.
 *
 * A line is `kind, kind: member, member`, where a kind finds its members; or `word = word`, where each finds the others.
 * Words that are mostly something else (`bass`, `orange`) are left out. Plurals of kinds are known.
 *
 * Source of the kinds: Van Overschelde, Rawson and Dunlosky, Category norms: an updated and expanded version of the
 * Battig and Montague (1969) norms (Journal of Memory and Language 50, 2004), with those of free time, health and feelings,
 * and of software.
 */
const LINES = `
activity, hobby, pastime, leisure, free time: hiking, camping, swimming, running, painting, pottery, reading, cooking, baking, gardening, yoga, dancing, fishing, biking, cycling, knitting, sewing, drawing, photography, skiing, surfing, climbing, kayaking, skating, chess, puzzles, gaming, picnic, museum, pets
exercise, workout, sport, fitness, martial art: yoga, swimming, cycling, boxing, kickboxing, karate, judo, taekwondo, aikido, tennis, soccer, football, basketball, baseball, volleyball, golf, hockey, rugby, badminton, gym, weights, jogging, marathon, pilates, climbing, skiing, skating, surfing, aerobics, gymnastics, wrestling, sprint
food, dish, meal, cuisine, recipe, snack, ingredient: pizza, pasta, salad, soup, sandwich, burger, chicken, rice, bread, cheese, steak, sushi, tacos, curry, noodles, seafood, vegetables, fruit, eggs, roast, grilled, baked, stew, lasagna, tofu, bacon, beans, mushrooms, popcorn, chips
dessert, sweet, treat, pastry, candy: cake, cookies, pie, cupcakes, ice cream, brownies, chocolate, pudding, tart, cheesecake, mousse, donuts, muffins, parfait, sorbet, caramel
drink, beverage, alcohol: coffee, tea, wine, beer, juice, soda, milk, smoothie, latte, espresso, cocktail, whiskey, vodka, rum, lemonade
fruit: apple, banana, grapes, strawberry, blueberry, raspberry, peach, mango, pineapple, melon, cherry, lemon, coconut, berries
vegetable: carrot, broccoli, lettuce, tomato, potato, spinach, onion, cucumber, corn, cabbage, celery, pepper, beans, peas
spice, seasoning, flavor: salt, pepper, garlic, cinnamon, basil, ginger, vanilla, oregano, paprika, cumin
pet, animal: dog, puppy, cat, kitten, hamster, rabbit, parrot, turtle, horse, goldfish, guinea pig, lizard, pup, cow, pig, sheep, lion, tiger, bear, elephant, deer, fox, wolf, mouse, dolphin, whale, snake
bird: eagle, parrot, pigeon, sparrow, robin, owl, hawk, crow, duck, chicken, penguin, swan
insect: ant, bee, spider, butterfly, mosquito, wasp, beetle, moth
flower, plant: rose, tulip, daisy, sunflower, lily, orchid, lavender, cactus, succulent, fern, daffodil
tree: oak, maple, pine, birch, willow, cedar, elm, palm
instrument: guitar, piano, violin, drums, flute, clarinet, saxophone, trumpet, cello, ukulele, harp, banjo
music, genre, song: jazz, rock, pop, classical, hip hop, rap, country, blues, folk, metal, reggae, album, band, concert, symphony, playlist, singer
dance style: ballet, salsa, tango, waltz, contemporary, hip hop, ballroom
art, artwork, craft: painting, sculpture, drawing, pottery, sketch, mural, photography, collage, watercolor, ceramics, canvas, origami
book, reading material, literature: novel, author, magazine, newspaper, comic, poem, biography, fantasy, mystery, chapter
movie, film, show: cinema, comedy, thriller, drama, horror, documentary, screenplay, trailer, actor, sequel, animation
game, video game, board game: chess, poker, monopoly, xbox, playstation, nintendo, console, cards, scrabble, catan, minecraft, zelda, mario, tournament, rpg
toy: doll, ball, lego, blocks, puzzle, stuffed animal, teddy bear
city, town: paris, london, rome, tokyo, kyoto, berlin, new york, chicago, boston, seattle, los angeles, san francisco, barcelona, madrid, amsterdam, sydney, toronto, vienna, prague, dublin, edinburgh, miami, vancouver, beijing, seoul, bangkok, singapore, mumbai
country, abroad: france, italy, japan, germany, england, spain, canada, mexico, india, china, brazil, sweden, australia, ireland, scotland, greece, thailand, korea, russia, egypt, netherlands, switzerland, norway
state: california, texas, florida, oregon, washington, colorado, michigan, alaska, hawaii, ohio, virginia, georgia, minnesota
place, location, destination, venue: park, beach, museum, restaurant, cafe, mountains, lake, forest, church, library, theater, zoo, castle, island, hotel
nature, landscape, landform: mountain, river, lake, ocean, forest, beach, valley, canyon, waterfall, desert, volcano, island, hill, sunset
vehicle, transportation: car, truck, bike, bicycle, motorcycle, bus, train, plane, boat, van, scooter, taxi
job, career, occupation, profession: teacher, engineer, nurse, doctor, lawyer, banker, manager, designer, writer, counselor, chef, accountant, dentist, scientist, artist, programmer, journalist, firefighter, mechanic
family, relative: mother, father, mom, dad, sister, brother, son, daughter, wife, husband, grandmother, grandfather, grandma, grandpa, aunt, uncle, cousin, nephew, niece, kids, parents
children, child, kid: son, daughter, boy, girl, toddler, baby, twins, teenager
feeling, emotion, mood: happy, sad, angry, anxious, nervous, excited, proud, scared, grateful, relieved, frustrated, lonely, disappointed, overwhelmed, thrilled, jealous
stress, relax, destress: yoga, meditation, massage, therapy, calming, unwind, spa, peaceful, soothing
disease, illness, health problem, health issue, medical condition, symptom: sick, cancer, flu, cold, fever, diabetes, asthma, headache, migraine, pain, surgery, allergy, infection, hospital, arthritis, injury, cough
injury: broke, sprained, twisted, hurt, fracture, ankle, knee
allergy, allergic: peanuts, dairy, pollen, gluten, shellfish, fur
body: head, arm, leg, foot, hand, knee, shoulder, neck, stomach, heart, ankle
relationship, marital: single, married, divorced, boyfriend, girlfriend, husband, wife, partner, dating, breakup, engaged, fiance
celebration, event, holiday: birthday, wedding, anniversary, graduation, christmas, thanksgiving, halloween, easter, parade, festival, concert, conference, fair, party, workshop, fundraiser, exhibition, ceremony, gala, reunion
charity, volunteer, community service: shelter, donate, donation, fundraiser, homeless, food drive, soup kitchen, nonprofit
disaster: flood, fire, earthquake, hurricane, tornado, tsunami, storm
weather: rain, snow, storm, sunny, wind, thunder, fog, hail, cloudy
crime: theft, robbery, murder, burglary, fraud, stole, arrested, assault
clothes, clothing, outfit, apparel, garment: shirt, dress, shoes, hat, jacket, jeans, coat, hoodie, skirt, socks, sweater, pants, suit, scarf, gloves
footwear: shoes, boots, sneakers, sandals, slippers, heels
jewelry, accessory: necklace, ring, bracelet, earrings, pendant, watch
furniture: chair, table, sofa, couch, bed, desk, lamp, dresser, shelf, bookcase
kitchen utensil, appliance: knife, spoon, fork, spatula, oven, blender, toaster, microwave, fridge, dishwasher
tool: hammer, saw, screwdriver, drill, wrench, pliers
gadget, device, electronics: phone, laptop, tablet, camera, computer, headphones, console, drone, television
religion, faith, spiritual: church, god, prayer, christian, catholic, muslim, buddhist, jewish, hindu, bible, temple, mosque
house, home, dwelling: apartment, condo, cabin, mortgage, rent, neighborhood, backyard, landlord
school, education, degree, study: college, university, class, course, graduated, exam, teacher, semester, scholarship, diploma, major, thesis
subject, science: math, biology, chemistry, physics, history, geography, psychology, economics, literature
award, prize, achievement: trophy, medal, won, certificate, first place, scholarship
money, finance, financial: salary, loan, debt, budget, savings, invest, investor, bank, rent, afford
color: red, blue, green, yellow, purple, pink, black, white, brown, teal, turquoise
language: english, spanish, french, german, italian, japanese, chinese, korean, portuguese, russian, arabic
metal: gold, silver, iron, copper, steel, aluminum, bronze, platinum
gem, gemstone: diamond, ruby, emerald, sapphire, pearl, amethyst, opal
pandemic: covid, lockdown, quarantine, vaccine, masks
politics, political: election, vote, mayor, senator, governor, campaign, liberal, conservative, policy, democrat, republican
military: army, navy, soldier, sergeant, captain, veteran, marines, troops
programming language: typescript, javascript, python, rust, golang, java, kotlin, swift, ruby, php, haskell, elixir
database: postgres, postgresql, sqlite, mysql, mariadb, mongodb, redis, dynamodb, duckdb
test framework, test runner, testing library: vitest, jest, mocha, pytest, playwright, cypress, junit, rspec
web framework, frontend framework: react, vue, svelte, angular, next.js, express, django, flask, rails, fastapi, hono
package manager: npm, pnpm, yarn, bun, pip, cargo, poetry, uv, homebrew
linter, formatter: eslint, oxlint, prettier, biome, ruff, clippy
bundler, build tool: webpack, vite, esbuild, rollup, tsup, turbopack, parcel, gradle, maven, bazel
cloud provider, hosting: aws, azure, gcp, vercel, netlify, cloudflare, heroku
operating system, os: linux, macos, windows, ubuntu, debian, android, ios
browser: chrome, firefox, safari, chromium
message queue, message broker: kafka, rabbitmq, sqs, nats
orm: prisma, drizzle, typeorm, sequelize, sqlalchemy, hibernate
趣味, 余暇: 登山, 読書, 料理, 釣り, 旅行, 写真, 絵画, 陶芸, 園芸, 編み物, 将棋, 囲碁, キャンプ, ゲーム, 映画, ヨガ, ダンス, サイクリング
運動, スポーツ, 球技, 武道: 野球, サッカー, テニス, 水泳, マラソン, ジョギング, バスケ, バレーボール, 卓球, ゴルフ, 柔道, 剣道, 空手, 体操, ヨガ
料理, 食事, 食べ物, メニュー: 寿司, 刺身, 天ぷら, カレー, ラーメン, うどん, パスタ, ピザ, 焼肉, 鍋, 弁当, 味噌汁, おにぎり, サラダ, 餃子, 丼
お菓子, 菓子, デザート, スイーツ: ケーキ, クッキー, アイス, チョコ, 羊羹, 団子, 饅頭, 大福, タルト, パフェ, 煎餅
飲み物, 飲料, お酒: コーヒー, 珈琲, 紅茶, 緑茶, ビール, ワイン, 日本酒, 焼酎, 牛乳, ジュース, ウイスキー
果物, フルーツ: 林檎, りんご, リンゴ, みかん, 蜜柑, 葡萄, ぶどう, 苺, いちご, バナナ, 桃, 梨, 柿, メロン, スイカ
野菜: 人参, にんじん, 玉ねぎ, じゃがいも, きゅうり, 茄子, キャベツ, レタス, 大根, ほうれん草
動物, ペット: 犬, 猫, 子犬, 子猫, うさぎ, ハムスター, 金魚, 亀, 馬, 牛, 豚, 羊, 熊, 鹿, 狐
楽器: ギター, ピアノ, バイオリン, ドラム, フルート, サックス, トランペット, チェロ, 三味線, 尺八, ウクレレ
音楽, 楽曲: ジャズ, クラシック, 演歌, ポップス, コンサート, 交響曲, 歌手
乗り物, 交通手段: 自動車, 電車, 新幹線, 自転車, 飛行機, バイク, タクシー, 地下鉄, フェリー
国, 外国, 海外: フランス, イタリア, ドイツ, イギリス, スペイン, アメリカ, カナダ, 中国, 韓国, 台湾, オーストラリア
都市, 街: 東京, 大阪, 京都, 名古屋, 横浜, 札幌, 福岡, 神戸, 仙台, ロンドン, ローマ, ニューヨーク, ソウル
仕事, 職業, 職種: 教師, 医師, 医者, 看護師, 弁護士, 会計士, 技術者, 銀行員, 公務員, 記者, 料理人, 美容師, エンジニア, デザイナー
家族, 親戚, 親族: 母, 父, 兄, 姉, 弟, 妹, 息子, 娘, 妻, 夫, 祖母, 祖父, 叔父, 叔母, 従兄弟, 両親
病気, 症状, 体調: 風邪, 頭痛, 腹痛, インフルエンザ, 糖尿病, 喘息, 花粉症, 癌, 手術, 入院, 咳, アレルギー
服, 衣服, 服装: シャツ, ズボン, スカート, 着物, 浴衣, 上着, セーター, 帽子, 靴, コート, ワンピース
感情, 気持ち, 気分: 嬉しい, 悲しい, 怒り, 不安, 緊張, 寂しい, 悔しい, 楽しい, 心配
天気, 天候: 雨, 雪, 晴れ, 曇り, 台風, 雷, 強風
災害: 地震, 洪水, 台風, 津波, 火事, 火災, 噴火
花, 植物: 桜, 梅, 薔薇, 向日葵, 菊, 百合, 紫陽花, チューリップ, 朝顔
行事, 催し, イベント: 誕生日, 結婚式, 卒業式, 祭り, 正月, 花見, 文化祭, 運動会, 展示会, 勉強会, 忘年会
プログラミング言語: typescript, javascript, python, rust, golang, java, kotlin, swift, ruby, php
データベース: postgres, postgresql, sqlite, mysql, mongodb, redis
フレームワーク: react, vue, svelte, angular, next.js, express, django, rails
family = fam
education = edu
business = biz
competition = comp
favorite = favourite, fav, fave
picture = pic, photo, photograph, snapshot
video = vid
festival = fest
mother = mom, mum, mommy
father = dad, daddy
children = kids
grandmother = grandma, granny
grandfather = grandpa
bicycle = bike
refrigerator = fridge
laboratory = lab
mathematics = math, maths
advertisement = ad, advert
information = info
birthday = bday
vacation = holiday, getaway
conversation = convo
brother = bro
sister = sis
store = shop
clothes = clothing
doctor = physician
movie = film
color = colour
neighbor = neighbour
theater = theatre
authentication = auth
authorization = authz
configuration = config
repository = repo
database = db
environment = env
dependency = deps
documentation = docs
directory = folder
function = fn
kubernetes = k8s
internationalization = i18n
accessibility = a11y
application = app
specification = spec
administrator = admin
`;

/**
 * Kinds whose names mean something else in software. They are kinds only where a query asks for one: `which state`, not
 * `the state`.
 */
const ORDINARY = new Set(
  `activity, body, child, children, craft, degree, destination, disaster, event, exercise, family, flavor, game, gem, home,
  house, instrument, job, landscape, language, location, metal, nature, place, plant, relationship, relative, school, show,
  state, stress, subject, symptom, tool, toy, treat, tree, イベント, メニュー, 仕事, 家族, 国, 症状, 花`.split(
    /,\s+/,
  ),
);
/** Ends the words before a kind that is asked for. */
const ASKS_FOR = /(?:^| )(?:which|what|any|favou?rites?|(?:kind|sort|type)s? of)$/;
const ASKS_FOR_UNSPACED = '(?<=どの|どんな|どういう|何の|なんの|好きな)';

/** Words related to a part of a query. */
export interface WordList {
  readonly of: string;
  readonly words: readonly string[];
}

/** Lists of related words, by the kinds and words that a query may have. */
interface RelatedWords {
  /** English words of a query, with one space between two. */
  readonly spaced: ReadonlyMap<string, readonly SpacedList[]>;
  /** Kinds that are written without spaces. */
  readonly unspaced: readonly { readonly kind: RegExp; readonly members: readonly string[] }[];
}

interface SpacedList {
  readonly words: readonly string[];
  readonly isOrdinary: boolean;
}

let table: RelatedWords | undefined;

/** The most words of a kind in English. */
const MOST_WORDS = 3;

/**
 * Returns words related to those of a query: members of the kinds that it names, and other forms; a list for each kind.
 * Text between double quotes has none.
 */
export function relatedWords(query: string): readonly WordList[] {
  const { spaced, unspaced } = (table ??= readLines());
  const text = query
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/"[^"]*"/g, ' . ');
  const words = text.match(/[a-z][a-z\d]*|[^\sa-z]/g) ?? [];
  const found = new Map<readonly string[], string>();
  for (let from = 0; from < words.length; from++) {
    for (let count = 1; count <= MOST_WORDS; count++) {
      const of = words.slice(from, from + count).join(' ');
      for (const { words: list, isOrdinary } of spaced.get(of) ?? []) {
        if (isOrdinary && !ASKS_FOR.test(words.slice(Math.max(0, from - 2), from).join(' ')))
          continue;
        if (!found.has(list)) found.set(list, of);
      }
    }
  }
  for (const { kind, members } of unspaced) {
    const [of] = kind.exec(text) ?? [];
    if (of !== undefined && !found.has(members)) found.set(members, of);
  }
  return [...found].map(([list, of]) => ({ of, words: list }));
}

function readLines(): RelatedWords {
  const spaced = new Map<string, SpacedList[]>();
  const unspaced: { kind: RegExp; members: readonly string[] }[] = [];
  const add = (kind: string, members: readonly string[], isForm = false): void => {
    const isOrdinary = !isForm && ORDINARY.has(kind);
    if (/^[a-z\d ]*$/.test(kind)) {
      for (const form of [kind, pluralOf(kind)]) {
        const list = { words: members, isOrdinary };
        spaced.set(form, [...(spaced.get(form) ?? []), list]);
      }
    } else unspaced.push({ kind: alone(kind, isOrdinary), members });
  };
  for (const line of LINES.trim().split('\n')) {
    const [kinds = '', members] = line.split(': ');
    if (members === undefined) {
      const forms = line.split(/ = |, /);
      for (const form of forms) {
        add(
          form,
          forms.filter((other) => other !== form),
          true,
        );
      }
    } else for (const kind of kinds.split(', ')) add(kind, members.split(', '));
  }
  return { spaced, unspaced };
}

/** In other words of kanji or katakana it is a part: 動物園, データ. */
function alone(kind: string, isOrdinary: boolean): RegExp {
  const part = String.raw`[\p{sc=Han}\p{sc=Katakana}ー]`;
  const before = isOrdinary ? ASKS_FOR_UNSPACED : `(?<!${part})`;
  return new RegExp(`${before}${kind}(?!${part})`, 'u');
}

function pluralOf(word: string): string {
  if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}ies`;
  return /(?:s|x|z|ch|sh)$/.test(word) ? `${word}es` : `${word}s`;
}
