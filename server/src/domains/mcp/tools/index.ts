/** Every tool that there is. */
import { antraegeTool, antragStellenTool } from './antraege.ts';
import { ausgabenTool } from './ausgaben.ts';
import { eingriffeTool } from './eingriffe.ts';
import { laufTool } from './lauf.ts';
import { spielraumTool } from './spielraum.ts';
import type { Tool } from './tool.ts';
import { verschwendungTool } from './verschwendung.ts';

export const TOOLS: readonly Tool[] = [
  ausgabenTool,
  spielraumTool,
  laufTool,
  verschwendungTool,
  eingriffeTool,
  antraegeTool,
  antragStellenTool,
];
