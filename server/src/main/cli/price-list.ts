/** What the commands about the price list say alike. */
import {
  BadPriceList,
  type Edition,
  ListNotFetched,
  type Offer,
  type Taken,
  takeEdition,
} from '#domains/preise/index.ts';
import { actAsOperator, type OperatorAct } from '#domains/protokoll/index.ts';
import { type CommandContext, CommandRefused } from './command.ts';

/** What became of an edition, as a sentence. Throws `CommandRefused` when it is not taken without asking. */
export function outcomeOf({ edition, neu, inForce }: Taken): string {
  const { nummer, name, abgelehnt } = edition;
  if (abgelehnt !== null)
    throw new CommandRefused(
      `„${name}“ ist als Nummer ${nummer} aufgenommen, gilt aber nicht: ${abgelehnt}. Ist sie richtig, setzt „preisliste-anheften ${nummer}“ sie in Kraft.`,
    );
  const what = `„${name}“ (Nummer ${nummer}, ${edition.modelle} Modelle) ${neu ? 'ist aufgenommen' : 'war schon aufgenommen'}`;
  if (inForce.nummer === nummer) return `${what} und gilt.`;
  const why = inForce.angeheftet ? 'ist angeheftet' : 'ist neuer';
  return `${what}; es gilt weiter „${inForce.name}“ (Nummer ${inForce.nummer}): Sie ${why}.`;
}

/** The entry of the operator log. */
export const actOn = (
  aktion: string,
  { nummer, name }: Pick<Edition, 'nummer' | 'name'>,
  nachher: OperatorAct['nachher'] = null,
): OperatorAct => ({ aktion, objekt: { art: 'preisliste', id: String(nummer), name }, nachher });

/** Takes an edition that somebody offers by hand. Throws `BadPriceList`. */
export const takeByHand = ({ owner, akteur }: CommandContext, offer: Offer, now: Date): Promise<Taken> =>
  actAsOperator(owner, { akteur, now }, async (within) => {
    const taken = await takeEdition(within, offer, now);
    const { herkunft, stand, abgelehnt } = taken.edition;
    const act = actOn('preisliste.aufgenommen', taken.edition, { herkunft, stand, abgelehnt });
    return { result: taken, act: taken.neu ? act : null };
  });

/** The sentence of what went wrong becomes that of the command. */
export async function spoken<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof BadPriceList || error instanceof ListNotFetched)
      throw new CommandRefused(error.message, { cause: error });
    throw error;
  }
}
