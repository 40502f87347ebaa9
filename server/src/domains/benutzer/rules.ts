/** Who may give, change and take which role. */
import { type Rolle, rightsOf } from '#domains/zugang/index.ts';

/** `bearbeiter` and `buchhaltung` do different things; neither stands above the other. */
const RANK: Record<Rolle, number> = {
  betrachter: 0,
  buchhaltung: 1,
  bearbeiter: 1,
  verwalter: 2,
  inhaber: 3,
};

/** Whether a role may be given or taken by somebody who holds `own`: never one above it. */
export const mayHandle = (own: Rolle, other: Rolle): boolean => RANK[other] <= RANK[own];

/** What decides about a user's access. */
export interface Standing {
  rolle: Rolle;
  aktiv: boolean;
}

/** The roles somebody may invite to; null stands for a user who is gone. */
export const invitableBy = (standing: Standing | null): Rolle[] => {
  if (!standing?.aktiv || !rightsOf(standing.rolle).includes('benutzer.verwalten')) return [];
  return (Object.keys(RANK) as Rolle[]).filter((rolle) => mayHandle(standing.rolle, rolle));
};

const isActiveInhaber = (standing: Standing | null): boolean =>
  standing?.aktiv === true && standing.rolle === 'inhaber';

/** Whether an active inhaber stops being one; `after` is null for a user who is removed. */
const losesInhaber = (before: Standing, after: Standing | null): boolean =>
  isActiveInhaber(before) && !isActiveInhaber(after);

export type Refusal = 'role_above_own' | 'last_inhaber';

/**
 * Why a change of a user must not be made, or null. `own` is the role of the user who makes it, be it the user in question;
 * `after` is null for a removal; `activeInhaber` counts those of the Mandant before the change.
 */
export function refusalOfChange(
  own: Rolle,
  before: Standing,
  after: Standing | null,
  activeInhaber: number,
): Refusal | null {
  if (!mayHandle(own, before.rolle) || (after && !mayHandle(own, after.rolle))) return 'role_above_own';
  return losesInhaber(before, after) && activeInhaber <= 1 ? 'last_inhaber' : null;
}

/** Whether the sessions of a user end with the change. */
export const endsSessions = (before: Standing, after: Standing): boolean =>
  before.rolle !== after.rolle || (before.aktiv && !after.aktiv);

/** An invitation that nobody accepted ends after this long. */
export const INVITATION_VALID_DAYS = 7;

export const isInvitationOpen = (gueltigBis: string, now: Date): boolean =>
  Date.parse(gueltigBis) > now.getTime();
