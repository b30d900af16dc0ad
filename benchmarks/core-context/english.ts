import { talk, type Talk } from './talk.ts';

/** Conversations in English. A number adds that many turns about something else. */
export const ENGLISH: readonly Talk[] = [
  talk(
    'en',
    [
      [
        'Give me three ideas for a small business.',
        'Three ideas: (A) a cat café with a reading room, (B) a night library for shift workers, (C) a floating sauna on the canal.',
      ],
      ['Thanks!', 'You are welcome.'],
    ],
    ['Let us go with the second one. Write a slogan.', 0, 'night library'],
  ),
  talk(
    'en',
    [
      [
        'My daughter Hanna turns six on 9 May and she is allergic to hazelnuts.',
        'Happy early birthday to Hanna! I will keep the hazelnut allergy in mind.',
      ],
      14,
    ],
    ['What should I watch out for when I order the cake for Hanna?', 0, 'hazelnut'],
    ['On which date is the birthday party of my daughter?', 0, '9 May'],
  ),
  talk(
    'en',
    [
      [
        'We need a name for the reading app.',
        '1. Leafling\n2. Paperboat\n3. Inkwell\n4. Margin Notes\n5. Bookmoth\n6. Quiet Page\n7. Lanternlit',
      ],
      5,
    ],
    ['How would a logo for number 7 look?', 0, 'Lanternlit'],
    ['Compare the third and the fifth name.', 0, 'Bookmoth'],
  ),
  talk(
    'en',
    [
      [
        'The budget for the kitchen is 12,000 euros.',
        'Good, 12,000 euros leaves room for solid worktops.',
      ],
      2,
      [
        'Sorry, I meant 21,000 euros for the kitchen, not 12,000.',
        'Noted: the kitchen budget is 21,000 euros.',
      ],
      24,
    ],
    ['How much may the kitchen cost?', 3, '21,000'],
  ),
  talk(
    'en',
    [
      3,
      [
        'Suggest four hikes near Bergen.',
        '- Fløyen: easy, two hours\n- Ulriken: steep, cable car back\n- Løvstakken: quiet, fine at sunset\n- Stoltzekleiven: 900 stone steps',
      ],
      1,
    ],
    ['Is the last one suitable for children?', 3, 'Stoltzekleiven'],
    ['And the first one?', 3, 'Fløyen'],
  ),
  talk(
    'en',
    [
      [
        'We deploy with a script called skylark.sh from the host tern-02.',
        'Understood: skylark.sh runs on tern-02.',
      ],
      40,
    ],
    ['Which host do we deploy from?', 0, 'tern-02'],
    ['What was the name of the deploy script again?', 0, 'skylark.sh'],
  ),
  talk(
    'en',
    [
      [
        'Please review my poem:\nThe harbour keeps its lamps alight,\nthe gulls forget the sea.',
        'The second line is strong; the first is a little still. Try a verb of motion.',
      ],
      [
        'Better: The harbour swings its lamps at night.',
        'That moves well, and the internal rhyme helps.',
      ],
    ],
    ['Read me the poem as it is now.', 1, 'swings its lamps'],
  ),
  talk(
    'en',
    [
      [
        'Who wrote the library we use for parsing dates?',
        'You use chronolith, written by Maren Dahl.',
      ],
      18,
      [
        'How do I cook rice for forty people?',
        'Use 3.2 kg of rice and 4.8 litres of water, in two pots.',
      ],
      18,
    ],
    ['Who maintains the date parsing library?', 0, 'Maren Dahl'],
    ['How much water was it for the rice?', 19, '4.8 litres'],
  ),
  talk(
    'en',
    [
      [
        'Plan a week of dinners.',
        '1. Monday: lentil soup\n2. Tuesday: mushroom risotto\n3. Wednesday: tofu curry\n4. Thursday: shakshuka\n5. Friday: fish tacos\n6. Saturday: pizza\n7. Sunday: roast squash',
      ],
      ['Replace Friday, we do not eat fish.', 'Friday is now: bean tacos.'],
      12,
    ],
    ['What is for dinner on Friday according to the plan?', 1, 'bean tacos'],
    ['What did you plan for Wednesday dinner?', 0, 'tofu curry'],
  ),
  talk(
    'en',
    [
      [
        'I am writing a novel. The lighthouse keeper Ansel secretly cannot read.',
        'A keeper who hides that he cannot read is a fine source of tension.',
      ],
      27,
      [
        'The mayor, Odile, lost her left hand in the flood of 1931.',
        'I will remember that Odile lost her left hand in the flood.',
      ],
      20,
    ],
    ['Why does Ansel never answer letters?', 0, 'cannot read'],
    ['Describe how Odile the mayor shakes hands.', 28, 'left hand'],
  ),
  talk(
    'en',
    [
      2,
      [
        'Which database should we use?',
        'I recommend PostgreSQL 17, since you need both JSON and full text search.',
      ],
      [
        'Why not SQLite?',
        'Because you said that five workers write at once; SQLite allows one writer.',
      ],
      1,
    ],
    ['Then let us do that. Which version do I install?', 2, 'PostgreSQL 17'],
  ),
  talk(
    'en',
    [
      ['What is the capital of Australia?', 'Canberra.'],
      ['And how many people live there?', 'About 470,000.'],
    ],
    ['How far is it from Sydney?', 0, 'Canberra'],
  ),
  talk(
    'en',
    [
      [
        'Our refund policy: customers may return shoes within 45 days, if they are unworn.',
        'Got it, 45 days for unworn shoes.',
      ],
      8,
      [
        'Draft a reply to Ms. Ferreira, whose order 88-1204 arrived damaged.',
        'Dear Ms. Ferreira, we are sorry that order 88-1204 arrived damaged. A replacement leaves today.',
      ],
      22,
    ],
    ['Within how many days can customers return shoes?', 0, '45 days'],
    ['What was the order number of Ms. Ferreira?', 9, '88-1204'],
  ),
  talk(
    'en',
    [
      [
        'Three titles for the talk, please.',
        'First, "Caching for the Rest of Us". Second, "Stale by Design". Third, "Invalidate Me".',
      ],
      ['Which do you like best?', 'The one in the middle: it is short and honest.'],
      6,
    ],
    ['Use the second title and write an abstract.', 0, 'Stale by Design'],
  ),
  talk(
    'en',
    [['Remember this: the alarm code of the studio is 4471.', 'I will remember it.'], 33],
    ['What is the alarm code?', 0, '4471'],
  ),
  talk(
    'en',
    [
      10,
      ['I moved the dentist to Thursday at 16:20.', 'Thursday at 16:20 it is.'],
      4,
      ['Actually the dentist called, it is Friday at 9:40 now.', 'Updated: Friday at 9:40.'],
      14,
    ],
    ['When is my dentist appointment?', 15, 'Friday at 9:40'],
  ),
  talk(
    'en',
    [
      [
        'My first question: does mint grow in shade?',
        'Mint grows well in half shade, if the soil stays moist.',
      ],
      11,
    ],
    ['What was my first question?', 0, 'mint'],
  ),
  talk(
    'en',
    [
      [
        'Options for the wall colour?',
        'Option A: oxide green. Option B: chalk blue. Option C: warm grey.',
      ],
      ['And for the floor?', 'Option A: cork. Option B: ash boards.'],
      2,
    ],
    ['For the wall colour take option C.', 0, 'warm grey'],
    ['For the floor, B.', 1, 'ash boards'],
  ),
  talk(
    'en',
    [
      [
        'The patient in the case study is a 58-year-old welder with a dry cough since March.',
        'Relevant: age 58, welder, dry cough since March.',
      ],
      6,
      ['Spirometry: FEV1 is 61 percent of predicted.', 'That suggests a moderate obstruction.'],
      35,
    ],
    ['What is the job of the patient in the case study?', 0, 'welder'],
    ['What did the spirometry of the patient show?', 7, '61 percent'],
  ),
  talk(
    'en',
    [
      [
        'Explain the rule of 72.',
        'Divide 72 by the yearly interest rate in percent: that is how many years money needs to double.',
      ],
      ['So at 6 percent?', 'At 6 percent money doubles in 12 years.'],
      3,
    ],
    ['And what does that rule give for 9 percent?', 0, 'Divide 72'],
  ),
];
