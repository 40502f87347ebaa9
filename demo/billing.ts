/** How the demo's company passes its costs on: end customers with their markups, and what its accounting books on. */
import { buchhaltungSetzen, endkundenEinlesen } from '#contracts';
import type { Ask } from './protection.ts';
import { BILLING, CUSTOMERS } from './scenario.ts';

const HEAD = 'Referenz;Kostenstelle;Debitorenkonto;E-Mail;Aufschlag';

/** An account of a customer for each, in the order of the scenario. */
const FIRST_ACCOUNT = 10_001;

/** Puts in what a statement, an archive of all of them and a booking batch need. */
export async function setBilling(ask: Ask): Promise<void> {
  const lines = CUSTOMERS.map(([, reference], index) => {
    const { kostenstelle, email, aufschlag } = BILLING[reference] ?? {};
    return [reference, kostenstelle, FIRST_ACCOUNT + index, email, aufschlag].join(';');
  });
  await ask('POST', endkundenEinlesen.path, { csv: [HEAD, ...lines].join('\r\n') });
  await ask('PUT', buchhaltungSetzen.path, {
    beraternummer: 29098,
    mandantennummer: 55003,
    kontenrahmen: '03',
    sammelkonto: '10000',
    erloeskonto: '8400',
    steuersatz_prozent: '19',
    aufschlag_ausweisen: true,
  });
}
