/** Both tables of docs/protection.md: what the rules that a Mandant begins with make of ordinary agents, and of runaways. */
import { ordinaryLines, reportLines } from './markdown.ts';
import { ordinaryTable } from './ordinary-table.ts';
import { withStage } from './own-stage.ts';
import { allReports } from './reports/all.ts';
import { isInTime, playReport, type ReportOutcome } from './reports-table.ts';

const SEED = 'oak boards';
const DAYS = 15;
const FEW_DAYS = 2;

/** With `short`: of the ordinary agents two days only. */
export const measureProtection = (short: boolean) =>
  withStage(DAYS + 1, async (stage) => {
    const began = performance.now();
    const reports: ReportOutcome[] = [];
    for (const report of allReports(SEED)) reports.push(await playReport(stage, report));
    const ordinary = await ordinaryTable(stage, SEED, short ? FEW_DAYS : DAYS);
    return {
      tables: [...ordinaryLines(ordinary), '', ...reportLines(reports)],
      in_time: `${reports.filter(isInTime).length} of ${reports.length}`,
      seconds: Math.round((performance.now() - began) / 1_000),
    };
  });
