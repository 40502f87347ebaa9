import { kurseEinlesen, MAX_KURSE_TEXT } from '#contracts';
import { BadRates } from '#domains/preise/index.ts';
import { type AsOperator, betreiberOf } from '#domains/protokoll/index.ts';
import type { Route } from '#http/index.ts';
import { InvalidInput } from '#kernel/errors.ts';
import type { ServiceContext } from '#platform/context.ts';
import { takeRatesFile } from '../take-rates.ts';

/** Around the file. */
const REST_OF_THE_BODY = 1_024;

export const kurseEinlesenRoute = (context: ServiceContext, asOperator: AsOperator): Route =>
  asOperator(
    kurseEinlesen,
    async (call, owner) => {
      const bytes = Buffer.from(call.body.datei, 'base64');
      const acting = { akteur: betreiberOf(call), now: context.clock.now() };
      const { neu, bis, abweichend } = await takeRatesFile(owner, bytes, acting).catch((error: unknown) => {
        if (error instanceof BadRates) throw new InvalidInput({ path: ['datei'], reason: error.sentence });
        throw error;
      });
      return { neu, bis, abweichend: abweichend.length, abweichend_zuletzt: abweichend.at(-1) ?? null };
    },
    { bodyLimit: MAX_KURSE_TEXT + REST_OF_THE_BODY },
  );
