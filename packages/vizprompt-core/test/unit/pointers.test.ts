import { expect, it } from 'vitest';
import { pointsAtItem } from '../../src/context/referents.ts';

it.each([
  'Turn them into a table',
  'Can you do the same for the other four?',
  'give me five more like those',
  'the odd-numbered ones',
  'the second line of the poem',
  'the first part of your answer',
  'リストを表にして',
  '上の二つ',
  'もう二つ追加して',
  '奇数番目だけ残して',
  '두 번째로 할게요',
  '위에서 두 번째',
  '셋째 안으로',
  '2번으로 해줘',
  '3번 자세히 설명해줘',
  '마지막 거 알려줘',
  '후자로 할게',
  '이 중에서 어떤 게 제일 좋아?',
  '전부 영어로 번역해줘',
  '목록을 표로 만들어줘',
  '하나 더 추가해줘',
  '각각의 장점은?',
  '最后一个怎么样？',
  '其中哪个最好？',
  '前两个',
  '选项五',
  '详细说说第三点',
  '把列表做成表格',
  '再加一个',
  '后者吧',
  '每个的优点是什么？',
])('a prompt points at an item: %s', (prompt) => {
  expect(pointsAtItem(prompt)).toBe(true);
});

it.each([
  'What is the second law of thermodynamics?',
  'The first president of the US',
  'What is chapter 3 of Moby Dick about?',
  'Put a hat on',
  '第二外国語のおすすめの大学は？',
  'リストを作って',
  '上の階がうるさい',
  '제2차 세계대전은 언제 끝났어?',
  '3월 날씨는 어때?',
  '하루에 3번 먹어요',
  '책을 3번이나 읽었어요',
  '둘째 딸의 생일',
  '전자레인지 청소 방법',
  '방법을 목록으로 만들어줘',
  '모두 몇 명이야?',
  '第二次世界大战什么时候结束的？',
  '第三任总统是谁',
  '每个人都喜欢猫吗',
  '前两个月的天气',
  '最后的晚餐是谁画的',
  '买菜列表的英文怎么说',
])('a prompt speaks of the world: %s', (prompt) => {
  expect(pointsAtItem(prompt)).toBe(false);
});
