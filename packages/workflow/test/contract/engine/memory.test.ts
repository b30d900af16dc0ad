import { testAgain } from './again-suite.ts';
import { testAgents } from './agents-suite.ts';
import { testFlows } from './flows-suite.ts';
import { testParallel } from './parallel-suite.ts';
import { testSteps } from './steps-suite.ts';
import { openInMemory } from '../../support/engine/support.ts';

testFlows('in memory', openInMemory);
testAgents('in memory', openInMemory);
testParallel('in memory', openInMemory);
testSteps('in memory', openInMemory);
testAgain('in memory', openInMemory);
