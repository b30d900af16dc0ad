import { afterAll } from 'vitest';
import { Fleet, openOnDbos, sharedOnDbos } from '../support/dbos/fleet.ts';
import { testAgain } from '../support/engine/again-suite.ts';
import { testAgents } from '../support/engine/agents-suite.ts';
import { testFlows } from '../support/engine/flows-suite.ts';
import { testParallel } from '../support/engine/parallel-suite.ts';
import { testResume } from '../support/engine/resume-suite.ts';
import { testSteps } from '../support/engine/steps-suite.ts';

const fleet = new Fleet();
afterAll(() => fleet.stop());

testFlows('on DBOS', openOnDbos(fleet));
testAgents('on DBOS', openOnDbos(fleet));
testParallel('on DBOS', openOnDbos(fleet));
testSteps('on DBOS', openOnDbos(fleet));
testAgain('on DBOS', openOnDbos(fleet));
testResume('on DBOS', sharedOnDbos(fleet));
