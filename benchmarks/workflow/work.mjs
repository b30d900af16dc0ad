/** What each step gives. */
export const ANSWER = '猫は静かに眠り、犬は元気に走る。どちらも人の友である。';

/** Of a run that is one of many. */
export const STEPS_OF_SHORT_RUN = 3;
