import type { ServiceContext } from '#platform/context.ts';
import { notInPackage } from './errors.ts';
import { areLimitsBinding, type Funktion, type Paketstand, packageInForce } from './packages.ts';

/** Throws 409 when something is to be set up that the package in force has not got; not where limits do not bind. */
export function requireFunktion(
  { config, clock }: Pick<ServiceContext, 'config' | 'clock'>,
  stand: Paketstand,
  funktion: Funktion,
): void {
  if (!areLimitsBinding(config, stand)) return;
  const paket = packageInForce(stand, clock.now());
  if (!paket.funktionen.includes(funktion)) throw notInPackage(paket, funktion);
}
