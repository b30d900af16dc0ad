import type { Dictionary } from '../dictionary/dictionary.ts';
import { toHiragana } from '../dictionary/kana-and-scripts.ts';
import { AS_SPOKEN, FOREIGN } from './kana-of-words.ts';
import type { Rewriting } from './old-words.ts';

/**
 * Kanji with which authors write the same word if it is read the same: 淋しい and 寂しい, 布団 and 蒲団, 逢う and 会う.
 * Each group was checked with all words of IPADIC that meet by it; words that are usually read otherwise are in none: 熟れる, 冊子. The characters that "「異字同訓」の漢字の使い分け例"
 * (Council for Cultural Affairs, 2014) distinguishes are in no group together: 暑い is not 熱い.
 *
 * Source: the spellings of 1,300 words that have one normalized form in SudachiDict (Apache-2.0) and are in works of the
 * public domain.
 */
const GROUPS =
  '丁牒 上擧尚 両諸輛 中当宙 主重 乃即 乱濫爛 了料 事詞 二次仁父爺任 云言謂 五皐 井整斉居 亙亘渡 些聊瑣 ' +
  '亡滅目坊棒 仄側傍朋 仇敵渾 仔子枝小 仕成為 付点 仞聞尋 代第 令齢 以已既停止罷 仮縦 仰形 伍尻后後 ' +
  '伐切射差打財裂截股 会逢遇 伴供 伺祗 佑祐 佳好幸 來来堕落墜越 倉蔵草尺 個箇 倭和弱若 偏褊 健剛強鞏偉豪 偽詐擬疑 ' +
  '備具工 傲奢驕 傷創瘡 働動 僧造 儀怪気宜 元許赦 充十 兆萌徴 兇凶 克優勝 兎欠缺 入容様 典奠 冀希 写寫抓摘撮 ' +
  '冲沖 冷斥退 凋畏萎賢 凍氷 几机 凭靠 函係拘関 分解判訳歩 刈穫 到至 刷摺 刻儼厳酷 剌溂 助救 努勉 勘感 勤覲 ' +
  '勧奨推 勾曲枉 勿物 半袢 南楠 印記標 卷巻捲 卿家 厘環輪 原源 厭飽嫌 参詣 反段 取把摂盗 古旧 叩敲 只唯 台擡颱 ' +
  '司衆輯集 吉恵慧 名苗 吐抜脱 吠吼 否辞批非 吶訥 吾我 呂路 呆惚惘房 呑飲暢 呪詛 呼喚 咎科 咽噎 哀憐悲 哭泣 ' +
  '唄唱謡謳 啼鳴 喩比較例譬競毘糶 喪失無 喰食 営栄 嗣継 嘆歎 嘗舐甜 噛嚼 噪騒 囈譫 囚捕掴攫 因依拠由醵 固錮 ' +
  '土途径道経逕 圧押捺 均等 堀濠 堙湮 報酬 填嵌眼 壜瓶甕 売賣 外逸 夙早 夾挟挾 奈如 奸姦 妬灼焼 妻細 姜薑 ' +
  '婿聟 媾講 孔穴 学學 孺豎 守護 安焉 実稔 宣曰 害礙 寂淋 密秘窃 寞漠莫 寥涼 審委精詳 尤最 尽悉 屋帖帳張戴頂 ' +
  '山彌野 岩盤磐蟠 嵩亢高興 嶮慳改検険革 巡回恢徊 左然 己自 布蒲敷 幀釘 平米 幽微 広拡 庄荘 床牀 底柢 庸用 廃癈 ' +
  '廉角 廓郭 延蜒蜿 弄玩翫 弊敝 引惹牽 弦絃 御往行防 徹通 心腎 忿憤 怖恐 思想 性状 怨恨憾 怯嚇脅 恃持 恣肆 ' +
  '恥羞 悍駻 惨酸 惰懦 愉楽 愍憫 愎腹 慙残遺慚 慣馴習狎 慥確 慾欲 憶悟覚醒 戒警誡 戦軍 才年歳載 托託 抄鈔 択選 ' +
  '抱捧 拈捻 拓開 措置 描劃画絵 揚騰 揺搖 摸模 撞突衝 撩繚 播蒔 撲殴 擦研摩 支閊 敗負 断理 旦檀談 昌盛 ' +
  '明灯 昭照 普洽遍 暖煖 暗諳黯 暴溌発醗 朦濛 木朴樸樹 杙杭 杯盃 枋芳 枷械 柘石 栃橡 根紺 梅黴 棄毀 棉綿緬 ' +
  '植殖 楕橢 槽舟 樫橿 款喜悦歓驩慶嬉 正糺糾 歿没 殊珠 殺遣 毬鞠 毯緞 水海 汁油 汎範 汐潮 汚穢 汲妁酌 沁浸 ' +
  '沓踏太泰駄肥鬧蹈活住生 沮阻 泉足洗銭 注註 洩漏 涌湧 淡憺澹 淳醇 混溷 渓谿 游遊 渺緲 湊輳 溜留蓄貯 溯遡 溶融熔 ' +
  '滑辷 激烈 火炬 炎焔 炒熬煎 炙焙 炮砲 烟煙 燥躁 狂違 猿申 玉霊魂 甦蘇 甲疳 畑畠 疎粗 痩瘠 的適 看診 ' +
  '真間 眠睡 知識 砕碎 祈祷 称讃 移遷 種素 空虚 竈釜 立起 竜龍 筅筌 策錯 筵蓆 粋萃 粕糟 糊餬 紅赤 紆迂 紙衣 ' +
  '終遂 給賜 統惣全凡総 繁茂 耀輝 聡聰 肝胆 肯頷 肴魚 胡蝴 脇腋 脛臑 臘蝋 舗鋪 芥辛 芸藝 苛虐 茅萱 菎蒟 ' +
  '葛蔓 葱黄 蓐褥 蔭陰 蔽覆蒙被 薙長 袍襖 装裳 裏裡 見視観顕 規軌 試験 読讀 誹譏 讎讐 讚賛 購贖 跡蹟 踞蹲 ' +
  '迫魄 述並列聯連陳 追逐 遵順 金錦 阿鴉 靭靱 駆翔駈';

/** Words whose kanji make other words apart: 独得 is 独特, but 得点 is not 特典. From the same source. */
const WORDS =
  'お伽噺/お伽話 お蔭/お陰 一人ぼっち/独りぼっち 一緒/一所 丁寧/叮嚀 上衣/上着 不仕合せ/不幸せ 不粋/無粋 ' +
  '不精/無精 中味/中身 了解/諒解/領解 仕合せ/幸せ 仕草/仕種 仙境/仙郷 仲見世/仲店 作戦/策戦 併存/並存 ' +
  '修練/修錬 僧坊/僧房 充たす/満たす 内所/内緒 冷かし/素見 切支丹/吉利支丹 利目/効き目 加担/荷担 ' +
  '勤王/勤皇 区切/句切 反古/反故 反撥/反発 口元/口許 古老/故老 只今/唯今 名刀/銘刀 呑み込む/飲み込む ' +
  '味方/身方 唯事/只事 喪心/喪神 嚇し/威し 四阿/東屋 回り路/まわり道 因襲/因習 塩梅/按排/按配 ' +
  '壊す/毀す 士気/志気 夕日/夕陽 夜店/夜見世 天の川/天の河 太夫/大夫 失態/失体 失神/失心 ' +
  '好い/良い/佳い 媾曳/逢引 時鳥/不如帰 容態/容体 寝巻/寝間着 小綺麗/小奇麗 尾籠/烏滸 屈伏/屈服 ' +
  '巡礼/順礼 巫女/神子 差違/差異 帰る/還る 干す/乾す 平目/比目魚 引く/惹く/曳く/牽く 彩り/色どり ' +
  '律義/律儀 御存じ/ご存知 心底/真底 心身/身心 心魂/神魂 恰好/格好 情勢/状勢 愛嬌/愛敬 ' +
  '慌てる/周章てる 慣れる/馴れる/狎れる 我々/吾々 戦勝/戦捷 所業/所行 手傷/手疵/手創 手毬/手鞠 ' +
  '手許/手元 打ち壊し/打毀し 投げ捨てる/投げ棄てる 抽斗/引出し 挑発/挑撥 捨てる/棄てる 排列/配列 ' +
  '推賞/推称 揚句/挙げ句 支度/仕度 故紙/古紙 料簡/了見/了簡 旨い/美味い 曝す/晒す 曠野/荒野 ' +
  '書簡/書翰 木蔭/木陰 果敢ない/儚い 標札/表札 標題/表題 横町/横丁 歌う/唱う/謡う 止め金/留金 ' +
  '死骸/屍骸 気転/機転 沁みる/染みる/滲みる 沙漠/砂漠 海月/水母 淡泊/淡白 淳朴/純朴 混沌/渾沌 ' +
  '満ちる/充ちる 澱む/淀む 激変/劇変 激烈/劇烈 激痛/劇痛 無残/無慙/無惨 煩雑/繁雑 燕子花/杜若 ' +
  '物憂い/懶い 状況/情況 独り占め/一人占め 独特/独得 現れる/顕れる 用心/要心 甲高い/疳高い 発奮/発憤 ' +
  '白波/白浪 百足/蜈蚣 目玉/眼玉 盲動/妄動 相図/合図 相撲/角力 相撲取/角力取 看做す/見なす 真紅/深紅 ' +
  '真髄/神髄 眷族/眷属 知らせ/報せ 知らせる/報せる 短篇/短編 確か/慥か 確乎/確固 空事/空言 ' +
  '突く/衝く/撞く/搗く 立合/立ち会い 箇月/個月 箇条/個条 算盤/十露盤 精彩/生彩 素姓/素生 紺飛白/紺絣 ' +
  '絵草紙/絵双紙 続篇/続編 綺麗/奇麗 練磨/錬磨 羊歯/歯朶 聴く/聞く 肯く/頷く/点頭く 腋の下/脇の下 ' +
  '腥い/生臭い 舞妓/舞子 草紙/双紙/草子 萎縮/畏縮 落葉松/唐松 葭簀/葦簾 蛮夷/蕃夷 装う/粧う ' +
  '見る/観る/看る 見分/検分 見幕/権幕/剣幕 見捨てる/見棄てる 見番/検番 見透す/見通す 親切/深切 ' +
  '訊く/聞く 諸式/諸色 賃金/賃銀 賞揚/称揚 車引/車曳 返す/還す 返事/返辞 通す/徹す/透す 通り路/通り道 ' +
  '通る/徹る/透る 通事/通詞/通辞 造作/雑作 逢う/遭う/遇う 酸漿/鬼灯 重態/重体 銀杏/公孫樹 銓衡/選考 ' +
  '鍛錬/鍛練 長篇/長編 間の子/合の子 降伏/降服 陰り/翳り 陽射し/日射し 随所/随処 隠棲/隠栖 雇う/傭う ' +
  '雨季/雨期 青い/蒼い 青白い/蒼白い 頑迷/頑冥 領承/了承 飢え/餓え 香ばしい/芳ばしい 馬喰/博労 ' +
  '馬鹿/莫迦 髣髴/彷彿 鬨の声/鯨波の声';

let representatives: ReadonlyMap<string, string> | undefined;

const REPEATED = /(\p{sc=Han})々/gu;

/** Returns kanji in one of the ways to write a word; for words of two characters and more that are read the same. */
export function rewriteBySpelling(kanji: string): string {
  const known = (representatives ??= new Map(
    GROUPS.split(' ').flatMap((group) => Array.from(group, (each) => [each, group.charAt(0)])),
  ));
  const whole = rewriteBySound(kanji.replaceAll(REPEATED, '$1$1'));
  return Array.from(whole, (each) => known.get(each) ?? each).join('');
}

let words: ReadonlyMap<string, readonly string[]> | undefined;

/** Returns the same word in other kanji: 莫迦 for 馬鹿. */
export function otherKanji(word: string): readonly string[] {
  words ??= new Map(
    WORDS.split(' ').flatMap((group) => {
      const all = group.split('/');
      return all.map((each) => [each, all.filter((other) => other !== each)] as const);
    }),
  );
  return words.get(word) ?? [];
}

/**
 * Words in kanji that IPADIC has only with others: 小供 and 子供, 喰べる and 食べる. Both have as many characters. None is a
 * name, 桑畠, which has one spelling.
 *
 * Source: spellings that have one normalized form in SudachiDict (Apache-2.0) and are in works of the public domain, and
 * 同音の漢字による書きかえ (report of the Council of the Japanese Language, 5 July 1956) with words of the same kanji.
 */
const NOUNS =
  '小供/子供 子共/子供 無暗/無闇 無智/無知 利巧/利口 悧巧/利口 悧口/利口 指環/指輪 弥次馬/野次馬 ' +
  '眼玉/目玉 蒸汽/蒸気 沙金/砂金 麦畠/麦畑 眼鼻/目鼻 綽名/渾名 諢名/渾名 賞讃/賞賛 ' +
  '称讃/称賛 讃辞/賛辞 相図/合図 仕末/始末 必竟/畢竟 場処/場所 階子段/梯子段 寝衣/寝巻 日附/日付 ' +
  '受附/受付 心附/心付 紋附/紋付 自働/自動 頸筋/首筋 頸飾/首飾 手頸/手首 片眼/片目 黒眼/黒目 ' +
  '上眼/上目 横眼/横目 薄眼/薄目 人眼/人目 眼尻/目尻 眼元/目元 眼顔/目顔 眼付/目付 眼隠/目隠 ' +
  '眼障/目障 眼醒/目覚 酔興/酔狂 脊中/背中 肴屋/魚屋 急劇/急激 物蔭/物陰 葉蔭/葉陰 樹蔭/木陰 ' +
  '蔭口/陰口 辛棒/辛抱 油画/油絵 低脳/低能 冥想/瞑想 道傍/道端 恰度/丁度 惨酷/残酷 惨忍/残忍 ' +
  '痲痺/麻痺 懴悔/懺悔 紀念/記念 合槌/相槌 知慧/知恵 撰択/選択 尨大/膨大 卒直/率直 応待/応対 ' +
  '鉄鎚/鉄槌 疵口/傷口 深傷/深手 険呑/剣呑 摺鉢/擂鉢 女夫/夫婦 屈托/屈託 案配/塩梅 水瓜/西瓜 ' +
  '黄瓜/胡瓜 感違/勘違 慓悍/剽悍 布衍/敷衍 落著/落着 到著/到着 不埓/不埒 放埓/放埒 譫語/譫言 ' +
  '簡短/簡単 菓物/果物 種属/種族 偽瞞/欺瞞 難義/難儀 乾分/子分 物盗/物取 緩漫/緩慢 相異/相違 ' +
  '勘忍/堪忍 悽惨/凄惨 演舌/演説 談議/談義 臆劫/億劫 楽書/落書 試錬/試練 洗錬/洗練 後篇/後編 ' +
  '恋仇/恋敵 老令/老齢 窮窟/窮屈 口鬚/口髭 口髯/口髭 蹂躪/蹂躙 吊鐘/釣鐘 俯目/伏目 ' +
  '逢曳/逢引 巡廻/巡回 迂廻/迂回 廻診/回診 焼点/焦点 仔猫/子猫 水蓮/睡蓮 昔噺/昔話 委托/委託 ' +
  '愛翫/愛玩 醜体/醜態 鑵詰/缶詰 薬鑵/薬缶 出板/出版 板画/版画 斑白/半白 闇中/暗中 闇黒/暗黒 ' +
  '糢糊/模糊 画巻/絵巻 画本/絵本 路幅/道幅 縹緻/器量 卒堵婆/卒塔婆 人蔘/人参 狼籍/狼藉 曹子/曹司 ' +
  '腕環/腕輪 記臆/記憶 琉璃/瑠璃 肉迫/肉薄 技倆/伎倆 無躾/不躾 墻壁/牆壁 不覊/不羈 爼板/俎板 ' +
  '棕梠/棕櫚 木兎/木菟 傍道/脇道 戯談/冗談 巫子/巫女 俥夫/車夫 何所/何処 ' +
  '讃美/賛美 讃嘆/賛嘆 礼讃/礼賛 自讃/自賛 絶讃/絶賛 画讃/画賛 畸形/奇形 全篇/全編 ' +
  '本篇/本編 前篇/前編 新篇/新編 叮寧/丁寧 快闊/快活 巌石/岩石 巌頭/岩頭 巌窟/岩窟 巨巌/巨岩 ' +
  '奇巌/奇岩 悒鬱/憂鬱 官撰/官選 特撰/特選 已下/以下 已前/以前 已後/以後 已降/以降 ' +
  '輔助/補助 依托/依託 負托/負託 請托/請託 訓誨/訓戒 誡告/戒告 禁遏/禁圧 抑遏/抑圧 痲疹/麻疹 ' +
  '痲薬/麻薬 噪音/騒音 動顛/動転 横顛/横転 闕文/欠文 闕字/欠字 闕本/欠本 游侠/遊侠 游民/遊民 ' +
  '回游/回遊 名蹟/名跡 戦蹟/戦跡 匆卒/倉卒 几上/机上 佚楽/逸楽 安佚/安逸 佚文/逸文 癆咳/労咳 ' +
  '溥天/普天 氛囲気/雰囲気 敝履/弊履 帖面/帳面 凌虐/陵虐 依固地/意固地 意怙地/意固地 黴雨/梅雨 ' +
  '鯁骨/硬骨 霰弾/散弾 霊苑/霊園 雑伎/雑技 伎能/技能 伎量/技量 険岨/険阻 鍼術/針術 銷夏/消夏 ' +
  '銷暑/消暑 銷失/消失 選衡/選考 鈑金/板金 貯溜/貯留 瀦留/貯留 諳算/暗算 諳唱/暗唱 儲蓄/貯蓄 ' +
  '花壜/花瓶 茶壜/茶瓶 土壜/土瓶 鉄壜/鉄瓶 一升壜/一升瓶 舒情/叙情 臧匿/蔵匿 倡和/唱和 ' +
  '耶馬台国/邪馬台国 老癈/老廃 罔羅/網羅 病竈/病巣 疆界/境界 疆域/境域 炎硝/煙硝 濫立/乱立 濫売/乱売 ' +
  '欄杆/欄干 闌干/欄干 棉実油/綿実油 旁線/傍線 旁点/傍点 旁注/傍注 摸擬/模擬 臨摸/臨模 抵觝/抵触 ' +
  '扮飾/粉飾 惣髪/総髪 惣別/総別 悃願/懇願 悃望/懇望 忿然/憤然 心搏/心拍 彽回/低回 弯曲/湾曲 弯入/湾入 弯月/湾月 ' +
  '廻向/回向 並合/併合 並呑/併呑 兼並/兼併 岩磐/岩盤 嘉節/佳節 唖鈴/亜鈴 厲行/励行 厲声/励声 ' +
  '半潰/半壊 冀望/希望 吃緊/喫緊 儁秀/俊秀 倭学/和学 伸暢/伸長 嗷訴/強訴 蕃殖/繁殖';

/** Beginnings of words with their kana. */
const STEMS =
  '満洲/満州 豪洲/豪州 濠洲/豪州 欧洲/欧州 怖ろし/恐ろし 怖れ/恐れ 惧れ/恐れ 懼れ/恐れ 喰べ/食べ 喰い物/食い物 喰い入/食い入 顫え/震え ' +
  '顫わ/震わ 慄え/震え 劇し/激し 駈けつけ/駆けつけ 嶮し/険し 賤し/卑し 碧い/青い 碧く/青く ' +
  '蒼黒/青黒 睡い/眠い 睡く/眠く 睡た/眠た 賞め/褒め 泌み/沁み 浸み/染み 佗し/侘し 憫れ/憐れ ' +
  '愉し/楽し 娯し/楽し 灼け/焼け 享け/受け 憶い出/思い出 憶い/思い 羞じ/恥じ 羞し/恥し 頽れ/崩れ ' +
  '検べ/調べ 巨きな/大きな 巨きい/大きい 巨きく/大きく 凝視め/見詰め 視つめ/見つめ 扶け/助け ' +
  '援け/助け 咆え/吠え 抛り込/放り込 遁げ/逃げ 呶鳴/怒鳴 暁け方/明け方 眼付き/目付き 眼つき/目つき ' +
  '眼の前/目の前 眼まい/目まい 眼ざめ/目ざめ 起ちあが/立ちあが 起ち上/立ち上 歩き廻/歩き回 ' +
  '透き徹/透き通 片附け/片付け 云い訳/言い訳 云い切/言い切 居睡り/居眠り 啼き声/鳴き声 愁え/憂え ' +
  '癒り/治り 癒ら/治ら 可怪し/可笑し 匍い/這い 焼き棄て/焼き捨て ' +
  '斃れ/倒れ 仆れ/倒れ 私語き/囁き 私語い/囁い 私語く/囁く ' +
  '悪んだ/憎んだ 悪んで/憎んで 悪む/憎む 悪むべ/憎むべ 悪みます/憎みます 悪みまし/憎みまし 悪みませ/憎みませ ' +
  '悪まな/憎まな 悪まれ/憎まれ';

/**
 * Verbs of one kanji with the kana that can follow it, and the kanji of the dictionary. Kana with which the dictionary has
 * another word are not among them: 唱え is read となえ, and 悪も is 悪 with a particle.
 */
const VERBS =
  '掩わいうえおっ/蔽 欺さしすせそ/騙 瞞さしすせそ/騙 偸まみむめもん/盗 識らりるれろっ/知 瞋らりるれろっ/怒 ' +
  '渉らりるれろっ/渡 恃まみむめもん/頼 歎かきくけこい/嘆 斃さしすせそ/倒 仆さしすせそ/倒 ' +
  '繞らりるれろっ/巡 嗤わいうえおっ/笑 哂わいうえおっ/笑 泛ばびぶべぼん/浮 匍わいうえおっ/這 駭かきくけこい/驚 ' +
  '愕かきくけこい/驚 撲たちつてと/打 癒らりるれろっ/治 趁わいうえおっ/追 ' +
  '攫まみむめもん/掴 俟たちつてとっ/待 唱わいうおっ/歌 搏たちつてとっ/打 遺さしすせそ/残 ' +
  '喚ばびぶべぼん/呼 聆かきくけこい/聞';

interface Spelling {
  readonly written: string;
  readonly known: string;
  readonly isNoun: boolean;
}

/** Kanji that follow any noun: 紀念日. */
const SUFFIX = /[日的者品中性家心達等様]/u;
const HAN = /\p{sc=Han}/u;
/**
 * Nouns and names with a particle, a suffix, or a word that begins as the end of a verb or an adjective: 劇しか見ない, 碧くん,
 * 渉らしい, 悪むしろ.
 */
const SUFFIX_IN_KANA =
  /(?<=劇)しか(?![っらりるれろ])|(?<=[碧睡き])く(?:ん|らい)|(?<=[渉識癒])らし[いかくさげ]|(?<=悪)む[\u3041-\u3096ー]/y;
let byFirst: ReadonlyMap<number, readonly Spelling[]> | undefined;

function spellings(): ReadonlyMap<number, readonly Spelling[]> {
  const found = new Map<number, Spelling[]>();
  const add = (written: string, known: string, isNoun: boolean): void => {
    const key = written.charCodeAt(0);
    found.set(key, [...(found.get(key) ?? []), { written, known, isNoun }]);
  };
  for (const [list, isNoun] of [[NOUNS, true] as const, [STEMS, false] as const]) {
    for (const pair of list.split(' ')) {
      const [written = '', known = ''] = pair.split('/');
      add(written, known, isNoun);
    }
  }
  for (const verb of VERBS.split(' ')) {
    const [all = '', kanji = ''] = verb.split('/');
    for (const kana of all.slice(1)) add(all.charAt(0) + kana, kanji + kana, false);
  }
  for (const each of found.values()) each.sort((a, b) => b.written.length - a.written.length);
  return found;
}

/** Returns a text in normal form with the kanji that the dictionary has for its words; offsets stay the same. */
export function toKnownKanji(text: string): string {
  byFirst ??= spellings();
  let known = '';
  let reached = 0;
  for (let at = 0; at < text.length; at++) {
    const spelling = byFirst
      .get(text.charCodeAt(at))
      ?.find(
        ({ written, isNoun }) =>
          text.startsWith(written, at) && isWholeWord(text, at, written, isNoun),
      );
    if (!spelling) continue;
    known += text.slice(reached, at) + spelling.known;
    at += spelling.written.length - 1;
    reached = at + 1;
  }
  return reached === 0 ? text : known + text.slice(reached);
}

/** 場処 is no word in 市場処分. */
function isWholeWord(text: string, at: number, written: string, isNoun: boolean): boolean {
  if (HAN.test(text.charAt(at - 1))) return false;
  const end = at + written.length;
  if (isNoun) return !HAN.test(text.charAt(end)) || SUFFIX.test(text.charAt(end));
  SUFFIX_IN_KANA.lastIndex = end - 1;
  return !SUFFIX_IN_KANA.test(text);
}

/**
 * Kanji, and those of the same sound that words are written with instead since 1956: 附近 and 付近, 腐蝕 and 腐食.
 *
 * Source: 同音の漢字による書きかえ (report of the Council of the Japanese Language, 5 July 1956).
 */
export const REWRITTEN: string =
  '附付智知蝕食昂高宏広弘広曠広誦唱佚逸嚮向藉謝挺丁翳影叡英穎英苑園臆憶挌格骼格饑飢吃喫馭御禦御鑿削繋係訣決蹶決涸枯' +
  '叉差扣控倖幸戟激屍死洲州銷消陞昇碍害誼義抒叙滲浸煽扇棲生尖先擅専銓選滌浄簇族疏疎褪退頽退牴抵碇停顛転杜途悖背' +
  '蕃番蜚飛諷風輔補磨摩諒了畸奇傭用淆交昏混澱殿哺保姆母脹張厖膨窟屈鄭丁潰壊曝暴撰選燻薫掠略煉練撒散訊尋蒐収聚集叛反廻回' +
  '堊亜諳暗按案萎委湮隠堙隠掩援捐援嘉佳誡戒誨戒蛔回闊活旱干翰簡徽記伎技佶詰鳩糾醵拠疆境饗供歇欠乎固鯁硬' +
  '濠豪剋克渾混悃懇摧砕截裁讃賛霰散侏朱駿俊醇純栖生蹟跡瀦貯籤選熄息托託竈巣艙倉臧蔵暢長椿珍幀丁釘丁搏拍磐盤' +
  '鈑板鄙卑菲非扁偏篇編辮弁拇母繃包旁傍痲麻堡保凌陵軛役瀾乱闌欄俚里輌両頴英倆量厲励撈労弯湾禄録恰格';

let modern: ReadonlyMap<string, string> | undefined;

/** Returns kanji as they are written since then; for words that are read the same only. */
export function rewriteBySound(kanji: string): string {
  const known = (modern ??= new Map(
    Array.from(REWRITTEN.matchAll(/(.)(.)/gu), ([, from = '', to = '']) => [from, to]),
  ));
  return Array.from(kanji, (each) => known.get(each) ?? each).join('');
}

/**
 * Words that IPADIC has in kana only, as authors write them in kanji: 彷徨う, 揶揄う, 矢張り.
 *
 * Source: that of the kanji above, and the lists of newspapers of words to write in kana.
 */
const IN_KANA =
  '兎に角/とにかく 兎も角/ともかく 矢張り/やはり 矢張/やはり 労ら/いたわら 労り/いたわり 労る/いたわる 労れ/いたわれ 労ろ/いたわろ 労っ/いたわっ 矢っ張り/やっぱり 矢鱈/やたら 成程/なるほど ' +
  '成る程/なるほど 迚も/とても 屹度/きっと 就中/なかんずく 余っ程/よっぽど 鳥渡/ちょっと 只管/ひたすら ' +
  '愚図愚図/ぐずぐず 薩張り/さっぱり 取敢えず/とりあえず 咥え/くわえ 忙がし/いそがし 八釜し/やかまし ' +
  '可懐し/なつかし 腑甲斐な/ふがいな 頼母し/たのもし 見窄らし/みすぼらし 艶めかし/なまめかし 千切れ/ちぎれ ' +
  '革包/かばん 我楽多/がらくた 頬っぺた/ほっぺた 目蓋/まぶた 眼蓋/まぶた 褞袍/どてら 彷徨わ/さまよわ ' +
  '彷徨う/さまよう 彷徨え/さまよえ 彷徨お/さまよお 彷徨っ/さまよっ 揶揄わ/からかわ 揶揄い/からかい ' +
  '揶揄う/からかう 揶揄え/からかえ 揶揄お/からかお 揶揄っ/からかっ 喋舌ら/しゃべら 喋舌り/しゃべり ' +
  '喋舌る/しゃべる 喋舌れ/しゃべれ 喋舌ろ/しゃべろ 喋舌っ/しゃべっ 仰言ら/おっしゃら 仰言り/おっしゃり ' +
  '仰言る/おっしゃる 仰言れ/おっしゃれ 仰言ろ/おっしゃろ 仰言っ/おっしゃっ 胡魔化さ/ごまかさ ' +
  '胡魔化し/ごまかし 胡魔化す/ごまかす 胡魔化せ/ごまかせ 胡魔化そ/ごまかそ 胡麻化さ/ごまかさ ' +
  '胡麻化し/ごまかし 胡麻化す/ごまかす 胡麻化せ/ごまかせ 胡麻化そ/ごまかそ 五月蠅い/うるさい ' +
  '五月蠅く/うるさく 五月蠅かっ/うるさかっ 五月蠅かろ/うるさかろ 五月蠅けれ/うるさけれ 五月蠅けりゃ/うるさけりゃ 五月蝿かっ/うるさかっ 五月蝿かろ/うるさかろ 五月蝿けれ/うるさけれ 五月蝿けりゃ/うるさけりゃ 煩瑣い/うるさい ' +
  '煩瑣く/うるさく 煩瑣かっ/うるさかっ 煩瑣かろ/うるさかろ 煩瑣けれ/うるさけれ 煩瑣けりゃ/うるさけりゃ 目出た/めでた 非道い/ひどい 非道く/ひどく 非道かっ/ひどかっ 非道かろ/ひどかろ ' +
  '非道けれ/ひどけれ 非道けりゃ/ひどけりゃ 彷徨い/さまよい 所謂/いわゆる 其の/その 其れ/それ 此の/この 此れ/これ 或る/ある';

/** The particle of a noun, 非道くらい, which is no adjective then. */
const PARTICLE = /くらい/y;
let kanaByFirst:
  | ReadonlyMap<string, readonly (readonly [written: string, kana: string])[]>
  | undefined;

function kanaWords(): NonNullable<typeof kanaByFirst> {
  const found = new Map<string, (readonly [string, string])[]>();
  for (const pair of [IN_KANA, FOREIGN, AS_SPOKEN].join(' ').split(' ')) {
    const [written = '', kana = ''] = pair.split('/');
    const first = written.charAt(0);
    found.set(first, [...(found.get(first) ?? []), [written, kana]]);
  }
  return found;
}

/** Returns the words of a normal text that the dictionary has in kana only, with these, in order. */
export function rewriteIntoKana(text: string): readonly Rewriting[] {
  kanaByFirst ??= kanaWords();
  const found: Rewriting[] = [];
  for (let at = 0; at < text.length; at++) {
    const [written, kana] =
      kanaByFirst.get(text.charAt(at))?.find(([each]) => isKanaWord(text, at, each)) ?? [];
    if (written === undefined || kana === undefined || HAN.test(text.charAt(at - 1))) continue;
    found.push({ start: at, end: at + written.length, text: kana });
    at += written.length - 1;
  }
  return found;
}

function isKanaWord(text: string, at: number, written: string): boolean {
  PARTICLE.lastIndex = at + written.length - 1;
  return text.startsWith(written, at) && !PARTICLE.test(text);
}

/** A word of one kanji with the kana after it. */
interface Word {
  readonly kana: string;
  /** In katakana. */
  readonly reading: string;
  readonly basic: string;
  readonly pos: string;
  readonly detail: string;
  /** The lower, the more common. */
  readonly cost: number;
}

/** The words of a dictionary, as far as okurigana go by them. */
interface OkuriganaLexicon {
  /** Returns all words that are this kanji with kana. */
  kanaAfter(kanji: string): Iterable<Word>;
  /** Checks whether a word is known, as something else than a form of a verb if so asked. */
  has(word: string, asNoVerb?: boolean): boolean;
}

/** A spelling with fewer or more kana, and that of the dictionary. */
interface Variant {
  readonly kana: string;
  readonly standard: string;
  /** The text that must follow, if it could be a particle otherwise. */
  readonly before: RegExp | undefined;
}

const RUNS = /(?<!\p{sc=Han})\p{sc=Han}(?=[\u3041-\u3096])/gu;
/** Endings of one kana that are no particle after a noun. */
const VERB_ENDING = /^[うくすつぬむるぐぶりみびぎきちし]$/;
/** Particles, endings after other words, and what follows names. */
const NOT_OF_WORD = /^(?:[はがをにでとのもへ]|から|た(?:[らりんっるろ]|$)|さん|さま|ちゃん|くし$)/;
/** The text after a whole word: 崩され is 崩さ and れ, not 崩れされ. */
const AFTER_WORD =
  /^(?:れ[るたてばん]?|られ.?|せ[るたて]?|たい?|て|から|な[いくら]|ん|ず|ば|[にでだな])$/;
/** 癒せる is a potential form, and 癒る is none of it. */
const POTENTIAL = /^[えけせてねへめげぜべ]る/;
/** 集まる, 分かれる and 照らす have kana that others leave out. */
const LEFT_OUT = /^[まかわらがも](?=[っるれりらすさし])/;
const STEM_OF_ADJECTIVE = '形容動詞語幹';
/** Not 明かない. */
const AFTER_STEM = /^(?:[にだで]|な(?![いかく]))/;
const AFTER_STOP = /^[たて]/;
/** 大いなる is no form of 大きい. */
const AFTER_ADJECTIVE = /^(?![なにるっ])/;
/** Most kanji have none: they share it. */
const NONE: ReadonlyMap<string, readonly Variant[]> = new Map();

const OF_SURU = /[すず]る$|じる$/;

/**
 * Knows words of one kanji that are written with other kana than the dictionary has: 恐しい and 珍らしい for 恐ろしい
 * and 珍しい.
 *
 * Source: 送り仮名の付け方 (Cabinet notice 2 of 1973), which says where the kana begin, and allows for more and for
 * fewer.
 */
export class OkuriganaVariants {
  readonly #lexicon: OkuriganaLexicon;
  /** By their kanji, as they are asked for. */
  readonly #variants = new Map<string, ReadonlyMap<string, readonly Variant[]>>();

  constructor(lexicon: OkuriganaLexicon) {
    this.#lexicon = lexicon;
  }

  /** Returns the pieces of a text that the dictionary writes with other kana, in order. */
  rewrite(text: string): readonly Rewriting[] {
    const found: Rewriting[] = [];
    for (const { 0: kanji, index } of text.matchAll(RUNS)) {
      const at = index + kanji.length;
      const variant = this.#variantsOf(kanji)
        .get(text.charAt(at))
        ?.find(({ kana, before }) => {
          const end = at + kana.length;
          return text.startsWith(kana, at) && (before?.test(text.slice(end, end + 2)) ?? true);
        });
      if (!variant) continue;
      found.push({ start: at, end: at + variant.kana.length, text: variant.standard });
    }
    return found;
  }

  /** Returns the variants of a kanji by their first kana, the longest first. */
  #variantsOf(kanji: string): ReadonlyMap<string, readonly Variant[]> {
    const known = this.#variants.get(kanji);
    if (known) return known;
    const found = new Map<string, Variant & { readonly word: Word }>();
    const ambiguous = new Set<string>();
    for (const word of this.#lexicon.kanaAfter(kanji)) {
      for (const { kana, before } of variantsOf(word, (after) =>
        this.#lexicon.has(kanji + after),
      )) {
        const other = found.get(kana);
        if (other && other.word.basic !== word.basic && !areAdjectives(other.word, word))
          ambiguous.add(kana);
        // 明か is a form of 明かす, but not before に.
        const isKnown =
          before === AFTER_STEM
            ? this.#lexicon.has(kanji + kana, true)
            : this.#isKnown(kanji, kana);
        // 危い is 危ない rather than 危うい.
        const isBetter = !other || (areAdjectives(other.word, word) && word.cost < other.word.cost);
        if (isKnown || !isBetter) continue;
        found.set(kana, { kana, standard: word.kana, before, word });
      }
    }
    const variants = new Map<string, Variant[]>();
    for (const variant of found.values()) {
      if (ambiguous.has(variant.kana)) continue;
      const first = variant.kana.charAt(0);
      variants.set(first, [...(variants.get(first) ?? []), variant]);
    }
    for (const each of variants.values()) each.sort((a, b) => b.kana.length - a.kana.length);
    const kept = variants.size === 0 ? NONE : variants;
    this.#variants.set(kanji, kept);
    return kept;
  }

  /** Checks whether a spelling is a word, or one with endings. */
  #isKnown(kanji: string, kana: string): boolean {
    for (let end = kana.length; end > 0; end--) {
      const isWhole = end === kana.length || AFTER_WORD.test(kana.slice(end));
      if (isWhole && this.#lexicon.has(kanji + kana.slice(0, end))) return true;
    }
    return false;
  }
}

function areAdjectives(first: Word, second: Word): boolean {
  return first.pos === '形容詞' && second.pos === '形容詞';
}

function* variantsOf(
  { kana, reading, basic, pos, detail }: Word,
  isWord: (kana: string) => boolean,
): Generator<{ readonly kana: string; readonly before: RegExp | undefined }> {
  const isInflected = (pos === '動詞' || pos === '形容詞') && detail === '自立';
  const hiragana = toHiragana(reading);
  if (!hiragana.endsWith(kana)) return;
  const stem = hiragana.slice(0, hiragana.length - kana.length);
  const less = kana.slice(1);
  if (detail === STEM_OF_ADJECTIVE && less === 'か') yield { kana: less, before: AFTER_STEM };
  const mayLeaveOut = (stem.length > 1 && !POTENTIAL.test(kana)) || LEFT_OUT.test(kana);
  if (isInflected && mayLeaveOut && !OF_SURU.test(basic) && !NOT_OF_WORD.test(less)) {
    if (pos === '形容詞' && less === 'い') yield { kana: less, before: AFTER_ADJECTIVE };
    else if (less === 'っ') yield { kana: less, before: AFTER_STOP };
    else if ((less.length > 1 && !less.startsWith('い')) || VERB_ENDING.test(less)) {
      yield { kana: less, before: undefined };
    }
  }
  const last = stem.slice(-1);
  // 引きつ of 引きつけ is 引き and つけ, but no word ends as 明かるい does.
  const more = isWord(last) && pos !== '形容詞' ? '' : last + kana;
  if (
    (isInflected || pos === '副詞') &&
    stem.length > 1 &&
    more !== '' &&
    !NOT_OF_WORD.test(more)
  ) {
    yield { kana: more, before: undefined };
  }
}

/** Conjugations of verbs of the classical language: 助くる leaves 助る to 助かる. */
const OF_OLD_VERB = /^[上下]二・|^四段・/u;
const [FIRST_HIRAGANA, LAST_HIRAGANA] = [0x3041, 0x3096];

/** Returns the words of a dictionary by their kanji and the kana after it. */
export function okuriganaLexicon(dictionary: Dictionary): OkuriganaLexicon {
  return {
    kanaAfter: (kanji) => kanaAfter(dictionary, kanji),
    has: (word, asNoVerb = false) => {
      const [from, to] = dictionary.entriesOf(word);
      for (let entry = from; entry < to; entry++)
        if (!asNoVerb || dictionary.featuresOf(entry)[0] !== '動詞') return true;
      return false;
    },
  };
}

function* kanaAfter(
  dictionary: Dictionary,
  kanji: string,
): ReturnType<OkuriganaLexicon['kanaAfter']> {
  const { trie } = dictionary;
  const open = [{ node: trie.find(kanji), kana: '' }];
  for (let last = open.pop(); last; last = open.pop()) {
    if (last.node === 0) continue;
    for (const [node, unit] of trie.childrenOf(last.node)) {
      if (unit < FIRST_HIRAGANA || unit > LAST_HIRAGANA) continue;
      const kana = last.kana + String.fromCharCode(unit);
      open.push({ node, kana });
      const word = kanji + kana;
      const end = trie.entries.at(node + 1);
      for (let entry = trie.entries.at(node); entry < end; entry++) {
        const [pos = '', detail = '', , , conjugation = ''] = dictionary.featuresOf(entry);
        if (OF_OLD_VERB.test(conjugation)) continue;
        const basic = dictionary.basicOf(entry, word);
        const cost = dictionary.costs[entry] ?? 0;
        yield { kana, reading: dictionary.readingOf(entry, word), basic, pos, detail, cost };
      }
    }
  }
}
