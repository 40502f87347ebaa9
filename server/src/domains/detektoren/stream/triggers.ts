/** Which rules may have something to say about a run now, by its state. What is found is up to the detectors. */
import type { RegelVon } from '#domains/regeln/index.ts';
import type { TouchedRun } from '../detector.ts';
import { isRunRule, ofRuns, type RunRule } from '../detectors.ts';

/** Whether a rule is about runs and is looked at as soon as one has changed. */
export const isTriggered = (rule: RegelVon): rule is RunRule =>
  isRunRule(rule) && ofRuns(rule).trigger !== null;

/** Whether the rule holds for the run at all. */
function isInScope({ geltungsbereich, bezug }: RegelVon, run: TouchedRun): boolean {
  if (bezug === null) return true;
  if (geltungsbereich === 'projekt') return run.projekt === bezug;
  if (geltungsbereich === 'agent') return run.agent === bezug;
  if (geltungsbereich === 'endkunde') return (run.endkunde_ref ?? '') === bezug;
  return true;
}

/** Whether the rule may have something to say about the run now. A state that is to be made anew may be wrong, and leaves it at that. */
export const mayFire = (rule: RunRule, run: TouchedRun): boolean =>
  isInScope(rule, run) && (ofRuns(rule).trigger?.(rule, run) ?? false);
