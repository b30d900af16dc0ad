import { runProcess } from '../frame/run-tool.ts';
import { ptta } from './tool.ts';

// Agents call ptta on every message: it becomes one CommonJS file, in which nothing can be awaited here.
void runProcess(ptta);
