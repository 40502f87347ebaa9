/**
 * Whether the state of a run, as counting leaves it, gives reason to look at the run: cheap, and never too narrow. What is found
 * is up to the detectors, which then read the calls of the run.
 */

import type { KeptStep, RunState } from '#domains/laeufe/index.ts';
import type { RegelVon } from '#domains/regeln/index.ts';

/** A run that has just changed. */
export interface TouchedRun {
  lauf_id: string;
  agent: string;
  projekt: string;
  endkunde_ref: string | null;
  aufrufe: number;
  kosten_eur: string | null;
  state: RunState;
}

/** Types whose reason shows in the state of a run. */
const RUN_TYPES = ['schleife_exakt', 'schleife_nah', 'pingpong', 'lauf_deckel', 'kontextwachstum'] as const;
type RunType = (typeof RUN_TYPES)[number];
export type RunRule = Extract<RegelVon, { typ: RunType }>;

export const isRunRule = (rule: RegelVon): rule is RunRule =>
  (RUN_TYPES as readonly string[]).includes(rule.typ);

/** Whether the rule holds for the run at all. */
function isInScope({ geltungsbereich, bezug }: RegelVon, run: TouchedRun): boolean {
  if (bezug === null) return true;
  if (geltungsbereich === 'projekt') return run.projekt === bezug;
  if (geltungsbereich === 'agent') return run.agent === bezug;
  if (geltungsbereich === 'endkunde') return (run.endkunde_ref ?? '') === bezug;
  return true;
}

function bitsApart(a: bigint, b: bigint): number {
  let count = 0;
  for (let rest = a ^ b; rest > 0n; rest &= rest - 1n) count += 1;
  return count;
}

/** How many of the last steps resemble the latest one, itself included; tokens apart, which only narrows. */
function similarSteps(recent: readonly KeptStep[], most: number): number {
  const latest = recent.at(-1);
  if (!latest || latest.prompt === null) return 0;
  const { prompt, werkzeug } = latest;
  return recent.filter(
    (step) => step.prompt !== null && step.werkzeug === werkzeug && bitsApart(step.prompt, prompt) <= most,
  ).length;
}

type Trigger<T extends RunType> = (rule: Extract<RunRule, { typ: T }>, run: TouchedRun) => boolean;

const TRIGGERS: { [T in RunType]: Trigger<T> } = {
  schleife_exakt: ({ schwelle }, { state }) => state.streak.length >= Number(schwelle),
  schleife_nah: ({ schwelle, parameter }, { state }) =>
    similarSteps(state.recent, parameter.abstand) >= Number(schwelle),
  pingpong: ({ schwelle }, { state }) => state.alternating >= 2 * Number(schwelle),
  lauf_deckel: ({ schwelle, einheit }, { aufrufe, kosten_eur }) =>
    einheit === 'eur' ? Number(kosten_eur ?? 0) >= Number(schwelle) : aufrufe > Number(schwelle),
  kontextwachstum: ({ parameter }, { state }) => {
    const last = state.recent.at(-1);
    return (
      state.calls >= parameter.mindest_schritte &&
      last !== undefined &&
      last.eingabe >= parameter.faktor * state.trend.first
    );
  },
};

/** Whether the rule may have something to say about the run now. A state that is to be made anew says nothing. */
export const mayFire = (rule: RunRule, run: TouchedRun): boolean =>
  !run.state.stale && isInScope(rule, run) && (TRIGGERS[rule.typ] as Trigger<RunType>)(rule as never, run);
