import { listAddressOf, NotSigned, readKeys, verifyLicence } from '#domains/installation/index.ts';
import { readSigningKeys } from '#domains/lizenzen/index.ts';
import { readShortFile } from './arguments.ts';
import { type Command, CommandRefused } from './command.ts';
import { formatInstant } from './table.ts';

export const lizenzPruefen: Command = {
  name: 'lizenz-pruefen',
  argumente: ['datei'],
  zweck: 'prüft eine Lizenz mit LIZENZ_PRUEFSCHLUESSEL, sonst mit den eigenen Schlüsseln',
  async run(context, [path]) {
    const { config, print } = context;
    const token = (await readShortFile(path)).trim();
    const own = async () =>
      JSON.stringify({
        keys: (await readSigningKeys(context.owner, context)).flatMap(({ jwk }) => jwk ?? []),
      });
    const keys = await readKeys(config.licenceKey ?? (await own())).catch((cause) => {
      throw new CommandRefused('LIZENZ_PRUEFSCHLUESSEL ist kein öffentlicher Schlüssel (JWK).', { cause });
    });
    const licence = await verifyLicence(token, keys).catch((cause: Error) => {
      const why = cause instanceof NotSigned ? ` (${cause.message})` : '';
      throw new CommandRefused(`Die Lizenz ist nicht echt${why}.`, { cause });
    });
    const { kunde, paket, gueltig_bis, mandanten, lizenz_id, fingerabdruck, kid } = licence;
    print(`Die Lizenz ist echt; unterschrieben mit ${kid}.`);
    print(`Kunde ${kunde}, Paket ${paket}, Mandanten ${mandanten}`);
    const end = formatInstant(gueltig_bis, config.timeZone);
    const over = gueltig_bis !== null && Date.parse(gueltig_bis) <= context.clock.now().getTime();
    print(end === null ? 'Gültig ohne Ende' : `Gültig bis ${end}${over ? ': abgelaufen' : ''}`);
    print(`Lizenz ${lizenz_id}, Fingerabdruck ${fingerabdruck}`);
    print(`Sperrliste ${listAddressOf(config, licence)}`);
  },
};
