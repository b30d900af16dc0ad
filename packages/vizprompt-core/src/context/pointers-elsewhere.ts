/** A pointer of a prompt in another language: an item by its place, `2` for one of the first, `0` for any. */
type Pattern = readonly [
  RegExp,
  (found: RegExpExecArray) => { readonly item: number; readonly isChoice?: boolean },
];

const KOREAN = '첫 두 세 네 다섯 여섯 일곱 여덟 아홉 열'.split(' ');
const SHORT = '첫 둘 셋 넷 다섯 여섯 일곱 여덟 아홉 열'.split(' ');
const CHINESE = '一二三四五六七八九十';

function koreanPlace(word: string): number {
  const place = Math.max(KOREAN.indexOf(word), SHORT.indexOf(word)) + 1;
  return place > 0 ? place : Number(word.normalize('NFKC'));
}

function chinesePlace(word: string): number {
  const place = CHINESE.indexOf(word) + 1;
  return place > 0 ? place : word === '两' ? 2 : Number(word.normalize('NFKC'));
}

const any = (): { readonly item: number } => ({ item: 0 });
const either = (): { readonly item: number; readonly isChoice: boolean } => ({
  item: 2,
  isChoice: true,
});

/** Ends a noun in Korean: `주` is a week, `주제` a topic. */
const KOREAN_END = '들?(?:에는?|의|은|는|이|가|을|를|도|부터|까지|마다)?(?![가-힣])';
/** Before a number in Korean that counts how often: `하루에 3번`. */
const HOW_OFTEN =
  '(?:하루|주|일주일|달|년|월|시간|분|평생)에 ?|(?:총|오늘|어제|매일|매주|매달|최소|최대|벌써|이미|거의|약) ?';

/** Ways of pointing at an item of a list in Korean and Chinese. */
export const ELSEWHERE: readonly Pattern[] = [
  [
    new RegExp(
      `(?<![가-힣])(${KOREAN.join('|')}|\\d{1,2}) ?번째(?! ?(?:세계 ?대전|대통령|(?:주|주말|주차|달|해|날)${KOREAN_END}))`,
      'g',
    ),
    ([, word = '']) => ({ item: koreanPlace(word) }),
  ],
  [
    new RegExp(`(?<![가-힣])(${SHORT.join('|')})째(?! ?(?:주|날|딸|아들|아이)${KOREAN_END})`, 'g'),
    ([, word = '']) => ({ item: koreanPlace(word) }),
  ],
  [
    new RegExp(
      `(?<![\\d제]|${HOW_OFTEN})(\\d{1,2})번(?:으로|을|를|은|는|이(?!나)|가|도|과|와|안| ?(?:말고|빼고|빼|자세히|설명|대신|제외|항목)|[.!?,]|$)`,
      'g',
    ),
    ([, word = '']) => ({ item: koreanPlace(word) }),
  ],
  // A number of an item, not how often: the request after it shows which, and no noun is before it. `2번만 다시 써줘`.
  [
    /(?:^|[,.!?] ?|그럼 ?|그리고 ?)(?:오늘 ?)?(\d{1,2})번(?:(?:으로|을) ?(?:할게|할래|해 ?[줘주]|골라)|을 ?설명해 ?[줘주]|만 (?:자세|다시 써|요약|설명|짧|바꿔|골라)|의 ?(?:장점|단점|내용|특징|의미)| ?더 (?:자세|짧|길|쉽|간단))/g,
    ([, word = '']) => ({ item: koreanPlace(word) }),
  ],
  [/(?<![가-힣])(?:후자|전자)(?:로|는|가|를|요|$)/g, either],
  [
    /마지막 ?(?:거|것|건|걸|안|항목|아이디어|제안|방법|하나)|(?:이|그) ?중(?:에서?|에선)? ?(?:어떤|어느|뭐|무엇|하나|가장|제일|뭘)|(?:위|아래) ?(?:목록|리스트|제안|아이디어)|(?:목록|리스트)(?:을|를) (?!만들어|작성)|각각(?:의|을|에)|나머지(?:는|를|도|만| [가-힣]{1,3}$)|^(?:전부|모두|다) (?:[가-힣]{1,6}로 |번역|다시|짧게|바꿔|합쳐|요약|설명)|하나(?:만)? 더|(?:하나|둘)만 골라/g,
    any,
  ],
  [
    new RegExp(
      `(?:选项|方案|建议|想法|编号|序号|第)\\s*([${CHINESE}]|\\d{1,2})(?![${CHINESE}\\d年月日号次]|世界|任|季)(?:个|条|点|项|种|款|步)?(?=$|[，。！？,.!?的吧更是怎呢]|再|比|和|跟|详|写)`,
      'g',
    ),
    ([, word = '']) => ({ item: chinesePlace(word) }),
  ],
  [
    /(?<!(?<!可)以|[目之提当今此世饭产术手业眼年天月周然随背先战])[前后]面?([两二三四五2-5])(?:个|条|项|点|种)(?=$|[\s，。！？、,.!?的吧呢吗和更最怎哪有是也都比换翻写改要请详重合用选]|方案|方法|建议|想法|例子|步骤|标题|名字|点子|再|删掉|去掉|做成|展开)/g,
    ([, word = '']) => ({ item: chinesePlace(word) }),
  ],
  [/前者|后者|後者/g, either],
  [
    /最[后後](?:一|那|这)?(?:(?:个|個)(?!问题(?!的)|問題(?!的)|月|星期|礼拜|小时|人(?!物)|学期|皇帝|朝代)|项|条|点(?![：:，,])|种)|其中(?:的)?(?:哪|一个|两个|任)|(?:把|将|这个|这份|上述|上面的)(?:列表|清单|名单)|上面(?:的|这|那)?(?:几|些|方案|建议|选项)|每(?:一)?(?:个|条|项|种)(?:的|都)|再(?:加|来|补充|想|列)(?:[一两三几]|\d)(?:个|条|点|项|种)|(?:剩下|剩余|其余)的|哪(?:一)?个(?:最|更|比较)|任选/g,
    any,
  ],
];
