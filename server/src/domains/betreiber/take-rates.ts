/** Reference rates out of a file, taken by an operator. */
import { readRatesFile, type TakenRates, takeRates } from '#domains/preise/index.ts';
import { type Acting, actAsOperator, type OperatorDatabase } from '#domains/protokoll/index.ts';

/**
 * Takes the rates of a file of the European Central Bank (CSV or ZIP) that are missing; the operator log says how many, where there are
 * any. Throws `BadRates`.
 */
export async function takeRatesFile(
  owner: OperatorDatabase,
  bytes: Buffer,
  acting: Acting,
): Promise<TakenRates> {
  const rates = await readRatesFile(bytes, acting.now);
  return actAsOperator(owner, acting, async (within) => {
    const result = await within.transaction((client) => takeRates(client, rates));
    const objekt = { art: 'kurse', id: result.bis };
    const act = { aktion: 'kurse.aufgenommen', objekt, nachher: { neu: result.neu, bis: result.bis } };
    return { result, act: result.neu > 0 ? act : null };
  });
}
