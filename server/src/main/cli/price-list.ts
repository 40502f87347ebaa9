/** What the commands about the price list say alike. */
import { BadPriceList, ListNotFetched, type Taken } from '#domains/preise/index.ts';
import { CommandRefused } from './command.ts';

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
