import { testFlows } from './flows-suite.ts';
import { openInMemory } from './support.ts';

testFlows('in memory', openInMemory);
