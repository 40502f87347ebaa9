/** Who may give, change and take which role, as the service decides it; here to say why before it refuses. */
import type { Benutzer, Rolle } from '../../api/types.ts';

const rank: Record<Rolle, number> = {
  betrachter: 0,
  buchhaltung: 1,
  bearbeiter: 1,
  verwalter: 2,
  inhaber: 3,
};

/** Every role, the one that may least first. */
const roles = ['betrachter', 'buchhaltung', 'bearbeiter', 'verwalter', 'inhaber'] as const;

/** The roles that somebody of this role may give and take: none above it. */
export const rolesUpTo = (own: Rolle): Rolle[] => roles.filter((role) => rank[role] <= rank[own]);

/** Why a user's role and access cannot be changed. */
export type Guard = 'above' | 'lastOwner' | 'self';

type Standing = Pick<Benutzer, 'benutzer_id' | 'rolle' | 'aktiv'>;

const isActiveOwner = ({ rolle, aktiv }: Standing) => rolle === 'inhaber' && aktiv;

/**
 * What stands in the way of changing role or access of `user`, or null. Nobody changes themselves: the way back would
 * be somebody else's to open.
 */
export function guardOf(
  user: Standing,
  self: Pick<Standing, 'benutzer_id' | 'rolle'>,
  all: Standing[],
): Guard | null {
  if (!rolesUpTo(self.rolle).includes(user.rolle)) return 'above';
  if (isActiveOwner(user) && all.filter(isActiveOwner).length <= 1) return 'lastOwner';
  return user.benutzer_id === self.benutzer_id ? 'self' : null;
}
