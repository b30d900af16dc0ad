import { testAgain } from '../../support/engine/again-suite.ts';
import { testAgents } from '../../support/engine/agents-suite.ts';
import { testFlows } from '../../support/engine/flows-suite.ts';
import { testParallel } from '../../support/engine/parallel-suite.ts';
import { testSteps } from '../../support/engine/steps-suite.ts';
import { openInMemory } from '../../support/engine/open-engine.ts';

testFlows('in memory', openInMemory);
testAgents('in memory', openInMemory);
testParallel('in memory', openInMemory);
testSteps('in memory', openInMemory);
testAgain('in memory', openInMemory);
