import { afterAll } from 'vitest';
import { Fleet, openOnDbos, sharedOnDbos } from '../../support/dbos/fleet.ts';
import { testAgain } from '../../support/engine/again-suite.ts';
import { testResume } from '../../support/engine/resume-suite.ts';

const fleet = new Fleet();
afterAll(() => fleet.stop());

testAgain('on DBOS', openOnDbos(fleet));
testResume('on DBOS', sharedOnDbos(fleet));
