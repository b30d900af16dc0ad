import { afterAll } from 'vitest';
import { testAgents } from '../support/engine/agents-suite.ts';
import { testFlows } from '../support/engine/flows-suite.ts';
import { testParallel } from '../support/engine/parallel-suite.ts';
import { testSteps } from '../support/engine/steps-suite.ts';
import { Fleet, openOnDbos } from '../support/dbos/fleet.ts';

const fleet = new Fleet();
afterAll(() => fleet.stop());

testFlows('on DBOS', openOnDbos(fleet));
testAgents('on DBOS', openOnDbos(fleet));
testParallel('on DBOS', openOnDbos(fleet));
testSteps('on DBOS', openOnDbos(fleet));
